// What the model can call. `description` is all that it knows about a tool: say when to use it.
export const tools = {
  word_count: {
    description: 'Counts the words, lines and characters of a text. Use it instead of estimating.',
    inputSchema: {
      type: 'object',
      properties: { text: { type: 'string', description: 'The text to count' } },
      required: ['text'],
    },
    run({ text }) {
      if (typeof text !== 'string') throw new Error('`text` must be a string');
      const words = text.split(/\s+/).filter(Boolean).length;
      return `${words} words, ${text ? text.split('\n').length : 0} lines, ${[...text].length} characters`;
    },
  },
};
