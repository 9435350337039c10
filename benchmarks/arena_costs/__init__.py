"""What the arena costs beside its bots."""
