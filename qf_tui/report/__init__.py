"""A battle retold in words: an analysis as one `Report`, which the console and every kind of file only draw.

`values`     what a report is: a headline, a curve, sections of sentences and tables, the throws
`telling`    `tell(system, timeline, analysis)`: the report of a battle; in words of its own each
             `story_words`, `luck_words`, `throw_words`, `ship_words`, and `basis`, what it rests on
`damage_words`   what a ship took in a turn
`names`      ships, sides and phases by their names, ships as they came too; `chances` as people say
`workers`    `work_out(system, timeline, save)`: its analysis, by several processes where that is worth it
`files`      `write_report(retold, path, kind)`: a battle retold as a file; `keep_report` beside its save
`html`, `markdown`, `scripts`   the texts of those files
`plot`       where the curve's lines stand on a page; `strip` a side's results among all that could have been
`court_words`, `court_branch`   the rules court in words; a reading as a battle of its own
`blocks`     the curve in block letters
"""
