"""Tools that are run by hand; CONTRIBUTING lists them."""
