import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type Config, ConfigError } from '../config.ts'
import { systemClock } from '../core/clock.ts'
import { migrate } from '../database/migrate.ts'
import { openMediaStore } from '../media-store/open-store.ts'
import { describeLostKey, findSecretKey } from '../startup/secret-key.ts'
import { command } from './command.ts'
import { eraseWorkspace } from './erase/erase-workspace.ts'
import { type ErasureReceipt, isGenuine, publicKeyOf } from './erase/receipt.ts'
import { id, required, text } from './flags.ts'
import { openForCommand } from './installation.ts'

/**
 * Receipts are signed with a key derived from this one; a new secret key would make signatures that no known public key
 * verifies.
 */
function secretKeyOf(settings: Config): string {
  const key = findSecretKey(settings)
  if (key === undefined) throw new ConfigError([describeLostKey(settings)])
  return key
}

export const eraseCommands = [
  command({
    name: 'workspace delete',
    summary: 'Erase a workspace and all its data permanently, and print a signed receipt.',
    flags: { workspace: required(id()), confirm: required(text('NAME')), by: required(text('WHO')) },
    run: async ({ workspace, confirm, by }, { config, say }) => {
      const settings = config()
      const store = await openMediaStore(settings, systemClock)
      const opened = await openForCommand(settings, say)
      try {
        await migrate(opened.url, say)
        const request = { workspaceId: workspace, confirm, by }
        return await eraseWorkspace(opened.url, request, store, secretKeyOf(settings))
      } finally {
        await opened.close()
        await store.close()
      }
    },
  }),
  command({
    name: 'receipt check',
    summary: 'Check that an erasure receipt is genuine and comes from this installation.',
    flags: { file: required(text('FILE')) },
    run: async ({ file }, { config }) => {
      const receipt = readReceipt(file, await readFile(resolve(file), 'utf8'))
      const genuine = isGenuine(receipt)
      const ours = receipt.publicKey === publicKeyOf(secretKeyOf(config()))
      return { ok: genuine && ours, genuine, ours }
    },
  }),
]

function readReceipt(file: string, content: string): ErasureReceipt {
  try {
    const parsed: unknown = JSON.parse(content)
    if (typeof parsed === 'object' && parsed !== null && 'signature' in parsed)
      return parsed as ErasureReceipt
  } catch {}
  throw new Error(
    `${file} isn't a receipt. Give the file with the output of "parley workspace delete --json".`,
  )
}
