"""Our agent for editors that speak the Agent Client Protocol: Zed, JetBrains, Neovim, Emacs. Needs the extra `acp`."""
