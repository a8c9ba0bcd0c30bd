"""What can be looked at: the viewer's page of runs in memory, live ones too, and a small renderer."""
