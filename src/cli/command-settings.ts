import { type Config, readConfig } from '../config.ts'
import { withRunningServer } from '../startup/running-server.ts'

/** Returns the settings of a command; relative paths start at `folder`. Loaded only when a command runs. */
export const readSettings = (env: NodeJS.ProcessEnv, folder: string): Config =>
  withRunningServer(readConfig(env, folder), env)
