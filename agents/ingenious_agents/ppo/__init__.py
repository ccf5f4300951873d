"""Policy networks trained by PPO."""
