"""Reports in the forms of Springsharp 2 and 3, of ships that never were."""

VERSION_2 = """Vasa Lejon, Ruritania Battleship laid down 1897 (Engine 1898)

Displacement:
    11,204 t light; 11,741 t standard; 12,650 t normal; 13,377 t full load

Dimensions: Length overall / water x beam x draught
    402.10 ft / 396.00 ft x 73.00 ft x 26.50 ft (normal load)
    122.56 m / 120.70 m x 22.25 m  x 8.08 m

Armament:
      4 - 12.00" / 305 mm guns (2x2 guns), 850.00lbs / 385.55kg shells, 1897 Model
      Breech loading guns in turrets (on barbettes)
      on centreline ends, evenly spread
      10 - 5.98" / 152 mm guns in single mounts, 100.00lbs / 45.36kg shells, 1897 Model
      Quick firing guns in casemate mounts
      on side, all amidships
      4 guns in hull casemates - Limited use in heavy seas
      4 - 4.70" / 119 mm guns in single mounts, 45.00lbs / 20.41kg shells, 1897 Model
      Quick firing guns in deck mounts
      on side, evenly spread
      16 - 2.95" / 75.0 mm guns in single mounts, 12.00lbs / 5.44kg shells, 1897 Model
      Quick firing guns in deck mounts
      on side, evenly spread, 8 raised mounts
      8 - 1.85" / 47.0 mm guns in single mounts, 3.00lbs / 1.36kg shells, 1897 Model
      Quick firing guns in deck mounts
      on side, evenly spread
    Weight of broadside 4,796 lbs / 2,175 kg
    Shells per gun, main battery: 80
    4 - 17.7" / 450 mm submerged torpedo tubes
    1 - 17.7" / 450 mm above water torpedoes

Armour:
   - Belts:     Width (max) Length (avg)        Height (avg)
    Main:   9.00" / 229 mm  257.00 ft / 78.33 m 9.00 ft / 2.74 m
    Ends:   4.00" / 102 mm  100.00 ft / 30.48 m 9.00 ft / 2.74 m
      39.00 ft / 11.89 m Unarmoured ends
    Upper:  6.00" / 152 mm  200.00 ft / 60.96 m 8.00 ft / 2.44 m
      Main Belt covers 100 % of normal length

   - Torpedo Bulkhead:
        1.50" / 38 mm   257.00 ft / 78.33 m 22.00 ft / 6.71 m

   - Gun armour:    Face (max)  Other gunhouse (avg)    Barbette/hoist (max)
    Main:   9.00" / 229 mm  6.00" / 152 mm      10.0" / 254 mm
    2nd:    5.00" / 127 mm   -          2.00" / 51 mm
    4th:    1.00" / 25 mm         -               -

   - Armour deck: 2.50" / 64 mm, Conning tower: 10.00" / 254 mm

Machinery:
    Coal fired boilers, complex reciprocating steam engines,
    Direct drive, 2 shafts, 15,120 ihp / 11,280 Kw = 18.25 kts
    Range 4,500nm at 10.00 kts
    Bunker at max displacement = 1,636 tons (100% coal)

Complement:
    594 - 773
"""

VERSION_3 = """Kestrel, Great Britain 2nd class Protected Cruiser laid down 1895

Displacement:
    4,802 t light; 5,010 t standard; 5,600 t normal; 6,072 t full load

Dimensions: Length (overall / waterline) x beam x draught (normal/deep)
    (376.20 ft / 370.00 ft) x 54.00 ft x (20.50 / 21.70 ft)
    (114.67 m / 112.78 m) x 16.46 m  x (6.25 / 6.61 m)

Armament:
      2 - 8.00" / 203 mm 40.0 cal guns - 250.00lbs / 113.40kg shells, 120 per gun
      Breech loading guns in deck mounts, 1895 Model
      2 x Single mounts on centreline ends, evenly spread
      9 - 6.00" / 152 mm 45.0 cal guns - 100.00lbs / 45.36kg shells, 200 per gun
      Quick firing guns in casemate mounts, 1895 Model
      1 x Single mount on centreline, aft deck aft
        1 raised mount
      8 x Single mounts on sides, evenly spread
        4 hull mounts in casemates- Limited use in heavy seas
      8 - 3.00" / 76.2 mm 40.0 cal guns - 12.00lbs / 5.44kg shells, 200 per gun
      Quick firing guns in deck mounts, 1895 Model
      8 x Single mounts on sides, evenly spread
      Weight of broadside 1,496 lbs / 679 kg

      Main Torpedoes
      2 - 18.0" / 457 mm, 14.00 ft / 4.27 m torpedoes - 0.450 t each, 0.900 t total
    submerged side tubes
      2nd Torpedoes
      3 - 14.0" / 356 mm, 14.00 ft / 4.27 m torpedoes - 0.300 t each, 0.900 t total
    In 3 sets of deck mounted carriage/fixed tubes

Armour:
   - Gun armour:    Face (max)  Other gunhouse (avg)    Barbette/hoist (max)
    Main:   3.00" / 76 mm   1.00" / 25 mm             -
    2nd:    4.50" / 114 mm  2.00" / 51 mm       2.00" / 51 mm

   - Protected deck - single deck:
    For and Aft decks: 2.25" / 57 mm
    Forecastle: 0.00" / 0 mm    Quarter deck: 1.50" / 38 mm

   - Conning towers: Forward 6.00" / 152 mm, Aft 0.00" / 0 mm

Machinery:
    Coal fired boilers, complex reciprocating steam engines,
    Direct drive, 2 shafts, 9,820 ihp / 7,326 Kw = 19.50 kts
    Range 7,000nm at 10.00 kts
    Bunker at max displacement = 1,062 tons (100% coal)

Cost:
    £0.498 million / $1.992 million
"""
