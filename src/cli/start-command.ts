import { command } from './command.ts'

/** `bin/parley.mjs` starts the server itself, with the flags for Node that the service needs. */
export const startCommand = command({
  name: 'start',
  summary:
    'Start the server, with the embedded database unless DATABASE_URL is set, until you press Ctrl-C. See "Settings" in README.md.',
  flags: {},
  run: async () => {
    throw new Error('Start the server with "npm start" or "bin/parley start".')
  },
})
