"""What programs that learn or measure need: many games, planes, symmetries, features, playouts.

What is where; all of it is public under the package's own name, as `blokus_fast.BatchBoard`:

- `batch`: `BatchBoard`, many games side by side; `batch_columns`: what only looks at the games
- `observation`: `Observer`, positions as planes, and back
- `symmetry`: `symmetries` of a variant, applied to games, masks and ids
- `features`: `move_features`, and which squares can be reached
- `playouts`: seeded random games
- `arrays`: how arrays of the caller are checked

Nothing is imported here: a function has the name of the module `playouts`, and would hide it.
"""
