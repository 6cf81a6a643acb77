import { resolve } from 'node:path'
import { type Config, ConfigError } from '../config.ts'
import { DAY_MS, systemClock } from '../core/clock.ts'
import { CELL_NAME_RULE, cellOf, isCellName, withCell } from '../core/values/cell.ts'
import { isUuid } from '../core/values/uuid.ts'
import { openMediaStore } from '../media-store/open-store.ts'
import type { MediaStore } from '../media-store/port.ts'
import { parseS3Address } from '../media-store/s3-address.ts'
import { describeLostKey, findSecretKey } from '../startup/secret-key.ts'
import { readSecretKeyFile } from '../startup/secret-key-file.ts'
import { command, type Flag, UsageError } from './command.ts'
import { days, secret, switchFlag, text, webAddress } from './flags.ts'
import { openForCommand } from './installation.ts'
import { cancelMove } from './move/cancel-move.ts'
import { finishMove } from './move/finish-move.ts'
import { loadWorkspace } from './move/load-workspace.ts'
import { moveWorkspace } from './move/move-workspace.ts'
import { writeWorkspace } from './move/write-workspace.ts'

const DEFAULT_KEEP_MS = 7 * DAY_MS

const cell: Flag<string> = {
  placeholder: 'CELL',
  parse(input) {
    if (!isCellName(input)) throw new UsageError(`${CELL_NAME_RULE}, not "${input}".`)
    return input
  },
}

type Values = {
  operand: string
  to?: string | undefined
  toDatabase?: string | undefined
  toSchema?: string | undefined
  toSecretKey?: string | undefined
  toDataDir?: string | undefined
  toMediaUrl?: string | undefined
  toAddress?: string | undefined
  toFile?: string | undefined
  fromFile?: string | undefined
  fileKey?: string | undefined
  keep?: number | undefined
  confirm?: string | undefined
  cancel?: boolean | undefined
  finish?: boolean | undefined
}

export const moveCommand = command({
  name: 'workspace move',
  summary:
    'Move a workspace to another cell or installation while it runs, or to a file. Run the command again if it was interrupted.',
  operand: 'ID',
  insteadOfOperand: 'fromFile',
  flags: {
    to: cell,
    toDatabase: secret('URL'),
    toSchema: cell,
    toSecretKey: secret('KEY'),
    toDataDir: text('DIR'),
    toMediaUrl: text('URL'),
    toAddress: webAddress,
    toFile: text('FILE'),
    fromFile: text('FILE'),
    fileKey: secret('KEY'),
    keep: days,
    confirm: text('NAME'),
    cancel: switchFlag,
    finish: switchFlag,
  },
  run: async (flags, { config, say }) => {
    const values: Values = flags
    requireOneWay(values)
    const settings = config()
    const store = await openMediaStore(settings, systemClock)
    const opened = await openForCommand(settings, say)
    const place = { url: opened.url, secretKey: secretKeyOf(settings) }
    try {
      const { fromFile, fileKey } = values
      const common = { clock: systemClock, say, store }
      if (fromFile !== undefined)
        return await loadWorkspace({
          ...common,
          target: place,
          path: resolve(fromFile),
          fileKey: fileKey!,
        })
      const workspaceId = workspaceOf(values)
      const address = addressOf(values)
      if (values.finish)
        return await finishMove({
          ...common,
          workspaceId,
          source: place,
          address,
          keepMs: values.keep,
        })
      const target = targetOf(values, place)
      if (values.cancel)
        return await cancelMove({
          ...common,
          workspaceId,
          source: place,
          target,
          confirm: values.confirm,
        })
      if (values.toFile !== undefined) {
        const written = await writeWorkspace({
          ...common,
          workspaceId,
          source: place,
          path: resolve(values.toFile),
        })
        say(
          `The workspace is paused. Load ${written.file} in the new installation with --from-file and --file-key, then run ` +
            `"parley workspace move ${workspaceId} --finish --to-address URL" here. The key of the file is shown only now.`,
        )
        return written
      }
      const newStore = await openNewStore(settings, values)
      try {
        return await moveWorkspace({
          workspaceId,
          source: place,
          target: { ...target!, address },
          files: newStore && { from: store, to: newStore },
          keepMs: values.keep ?? DEFAULT_KEEP_MS,
          say,
        })
      } finally {
        await newStore?.close()
      }
    } finally {
      await opened.close()
      await store.close()
    }
  },
})

/** Requires exactly one action, and the flags that it needs. */
function requireOneWay(values: Values): void {
  const { to, toDatabase, toFile, fromFile, finish, cancel, fileKey } = values
  const ways = [to ?? toDatabase ?? (cancel ? true : undefined), toFile, fromFile, finish].filter(
    (way) => way !== undefined,
  )
  if (ways.length !== 1 || (to !== undefined && toDatabase !== undefined))
    throw new UsageError(
      'Give one of --to, --to-database, --to-file, --from-file, --finish, and --cancel. --cancel can have the destination too.',
    )
  if (fromFile !== undefined && fileKey === undefined) throw new UsageError('--file-key: Required.')
}

function workspaceOf({ operand }: Values): string {
  if (!isUuid(operand)) throw new Error(`"${operand}" isn't an id. Ids are UUIDs.`)
  return operand.toLowerCase()
}

const addressOf = ({ toAddress }: Values): string | null => toAddress?.replace(/\/+$/, '') ?? null

/** The database of the new cell, and the secret key of its installation; undefined if no flag names it. */
function targetOf(
  { to, toDatabase, toSchema, toSecretKey, toDataDir }: Values,
  source: { url: string; secretKey: string },
): { url: string; secretKey: string } | undefined {
  const stored = toDataDir === undefined ? undefined : readSecretKeyFile(resolve(toDataDir))
  const secretKey = toSecretKey ?? stored ?? source.secretKey
  if (to !== undefined) return { url: withCell(source.url, to), secretKey }
  if (toDatabase === undefined) return undefined
  return { url: withCell(toDatabase, toSchema ?? cellOf(toDatabase)), secretKey }
}

/** Opens the place of the new cell's files; null if both cells use the same. */
async function openNewStore(
  { dataDir, mediaS3 }: Config,
  { toDataDir, toMediaUrl }: Values,
): Promise<MediaStore | null> {
  if (toMediaUrl !== undefined) {
    const parsed = parseS3Address(toMediaUrl)
    if ('problem' in parsed) throw new UsageError(`--to-media-url: ${parsed.problem}`)
    const newS3 = { ...mediaS3, ...parsed.value }
    return JSON.stringify(newS3) === JSON.stringify(mediaS3)
      ? null
      : openMediaStore({ dataDir, mediaS3: newS3 }, systemClock)
  }
  if (toDataDir === undefined)
    throw new UsageError(
      '--to-data-dir: Required, so that the files come along: the data directory of the new cell. Give --to-media-url if its files are in a bucket.',
    )
  const isSame = mediaS3 === undefined && resolve(toDataDir) === dataDir
  return isSame ? null : openMediaStore({ dataDir: resolve(toDataDir) }, systemClock)
}

function secretKeyOf(settings: Config): string {
  const key = findSecretKey(settings)
  if (key === undefined) throw new ConfigError([describeLostKey(settings)])
  return key
}
