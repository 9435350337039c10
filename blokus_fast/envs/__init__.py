"""Learning environments: the engine in the interfaces that learners already use.

- `blokus_v0`: PettingZoo, any number of players (extra ``rl``).
- `gym_v0`: Gymnasium, one player against bots, and many games at once (extra ``rl``).
- `openspiel`: OpenSpiel (extra ``openspiel``).
- `opponents`, `policies`: who plays against the learner; networks as bots.
- `heads`, `measuring`: for networks that learn, and how often they win.

Nothing is imported here, and ``import blokus_fast`` imports none of it. A module whose library is
missing says how to install it.
"""
