"""Pictures of Ingenious: `svg.render` and `text.render` turn a position into a string."""
