"""Mass properties of closed bodies."""
