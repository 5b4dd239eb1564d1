/** The six tools of the terminal server, as it lists them. */

const backend = { type: 'string', enum: ['tmux', 'kitty', 'iterm2'], description: 'The terminal to use.' };
const target = {
  type: 'string',
  description: 'A target as terminal_list_targets names it, as tmux:main; or main beside a backend.',
};

function tool(name, description, properties, required = []) {
  return {
    name,
    description,
    inputSchema: { type: 'object', properties, required, additionalProperties: false },
  };
}

export const tools = [
  tool('terminal_list_targets', 'Lists targets of one backend, or of all.', {
    backend: { ...backend, enum: [...backend.enum, 'all'], default: 'all' },
  }),
  tool(
    'terminal_capture',
    'Reads what a target shows.',
    { target, backend, lines: { type: 'integer', minimum: 1, description: 'Only the last lines.' } },
    ['target'],
  ),
  tool(
    'terminal_send_text',
    'Types a text into a target, and Enter.',
    { target, backend, text: { type: 'string' } },
    ['target', 'text'],
  ),
  tool(
    'terminal_send_keys',
    'Presses keys in a target, as C-c.',
    { target, backend, keys: { type: 'array', items: { type: 'string' } } },
    ['target', 'keys'],
  ),
  tool('terminal_open', 'Opens a new target.', { backend, name: { type: 'string' } }, ['backend', 'name']),
  tool('terminal_close', 'Closes a target.', { target, backend }, ['target']),
];
