// The usage of every command. It needs the flags of all commands, so a bundle has it in a file (bin/bundle.mjs).
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { IS_BUNDLED } from '../core/installation-root.ts'
import { usageLine } from './command.ts'
import { COMMAND_FILES, loadCommands } from './commands.ts'

/** `line` is the command with its flags. */
export type Usage = { name: string; line: string; summary: string }

/** Returns the usage of every command, from its declaration. */
export const describeCommands = async (): Promise<Usage[]> =>
  (await loadCommands()).map((command) => ({
    name: command.name,
    line: usageLine(command),
    summary: command.summary,
  }))

/** Returns the file of each command by its name, for the bundle. */
export const mapCommandsToFiles = (): Record<string, string> =>
  Object.fromEntries(COMMAND_FILES.flatMap(({ file, names }) => names.map((name) => [name, file])))

/** Returns the usage of every command, from the bundle's file if there is one. */
export const readUsages = async (): Promise<Usage[]> =>
  IS_BUNDLED ? JSON.parse(readFileSync(join(import.meta.dirname, 'usages.json'), 'utf8')) : describeCommands()
