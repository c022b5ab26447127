"""What keys, letters and digits mean in the order bar and in the dialogs, and what an order would meet.

`orderbar`    the bar; `saying` the line under it, `questions` which owed question it turns to
`completing`  a half-typed order read; `candidates` what a word of it may become
`dialog`      an order drawn from its form; `fields` its parts
`filling`     what is filled in; `meaning` what that means in a battle, `again` what was ordered before,
              `offering` what is offered by it
`faces`       dice as they are typed
`foreseeing`  what an order would meet; `entering` enters it
"""
