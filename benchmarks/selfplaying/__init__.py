"""What self-play costs beside its search, and how quickly shards are read."""
