"""The history: every act in words, the logs as they stood, and corrections from there."""
