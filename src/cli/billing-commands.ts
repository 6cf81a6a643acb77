// The operator's rates, and the prepaid balance of workspaces (src/modules/reporting/billing/DECISIONS.md).
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { CsvError, parse } from 'csv-parse'
import { z } from 'zod'
import { importRates } from '../modules/reporting/billing/operations/costs.ts'
import { creditWallet, switchWallet } from '../modules/reporting/billing/operations/wallet.ts'
import { command, type Flag, UsageError } from './command.ts'
import { id, oneOf, required, switchFlag, text } from './flags.ts'
import { inInstallation } from './installation.ts'

const currency: Flag<string> = {
  placeholder: 'INR',
  parse(input) {
    if (!/^[A-Z]{3}$/.test(input)) throw new UsageError(`Must be a currency, such as INR, not "${input}".`)
    return input
  },
}

const MAX_AMOUNT_DIGITS = 13
/** Minor units; a negative amount reduces the balance. */
const amount: Flag<number> = {
  placeholder: 'N',
  parse(input) {
    const isAmount = new RegExp(`^-?\\d{1,${MAX_AMOUNT_DIGITS}}$`).test(input) && Number(input) !== 0
    if (!isAmount) throw new UsageError(`Must be a whole number of minor units other than 0, not "${input}".`)
    return Number(input)
  },
}

const RateRow = z.object({
  market: z.string().regex(/^([A-Z]{2}|\*)$/, 'Must be a country, such as IN, or * for all other countries.'),
  category: z.string().regex(/^[a-z_]{1,40}$/, 'Must be a category, such as marketing.'),
  validFrom: z.iso.date('Must be a day, such as 2026-06-01.'),
  millionths: z
    .string()
    .regex(/^\d{1,12}$/, 'Must be a whole number: millionths of a currency unit.')
    .transform(Number),
})

const MAX_RATES = 50_000
/** A row of four short cells is never longer. */
const MAX_RATE_CHARACTERS = 1_000

/** Reads rates from a CSV file with the columns market, category, validFrom, and millionths. */
async function readRates(file: string): Promise<z.output<typeof RateRow>[]> {
  const parser = parse({
    columns: true,
    trim: true,
    skip_empty_lines: true,
    bom: true,
    max_record_size: MAX_RATE_CHARACTERS,
  })
  const rows: unknown[] = []
  try {
    await pipeline(createReadStream(file), parser, async (records: AsyncIterable<unknown>) => {
      for await (const row of records) {
        if (rows.push(row) > MAX_RATES)
          throw new Error(`The file has more than ${MAX_RATES} rates. Remove old ones.`)
      }
    })
  } catch (error) {
    if (error instanceof CsvError) throw new Error(`The file isn't valid CSV: ${error.message}`)
    throw error
  }
  if (rows.length === 0)
    throw new Error('The file has no rates. Its first line must be market,category,validFrom,millionths.')
  const results = rows.map((row) => RateRow.safeParse(row))
  const faults = results.flatMap(({ error }, i) =>
    (error?.issues ?? []).map((issue) => `row ${i + 1}, ${issue.path.join('.')}: ${issue.message}`),
  )
  if (faults.length > 0) throw new Error(faults.slice(0, 20).join('\n'))
  const keys = results.map(({ data }) => `${data!.market} ${data!.category} ${data!.validFrom}`)
  const earlierKeys = new Set<string>()
  const duplicate = keys.find((key) => earlierKeys.size === earlierKeys.add(key).size)
  if (duplicate) throw new Error(`The rate ${duplicate} is in the file twice.`)
  return results.map(({ data }) => data!)
}

const workspace = required(id())

export const billingCommands = [
  command({
    name: 'rates import',
    summary: "Import the operator's rate card: a CSV file with market, category, validFrom, and millionths.",
    operand: 'FILE',
    flags: { workspace, currency: required(currency) },
    run: async ({ operand, workspace: workspaceId, currency: currencyCode }, context) => {
      const rates = await readRates(operand)
      return inInstallation(context, async ({ tx, now }) => {
        await importRates(tx, workspaceId, rates, { currency: currencyCode, at: now })
        return { workspaceId, rates: rates.length, currency: currencyCode }
      })
    },
  }),
  command({
    name: 'wallet on',
    summary:
      'Charge messages to a prepaid wallet from today. With --enforce on, sending stops when the wallet is empty.',
    flags: { workspace, currency, enforce: switchFlag },
    run: ({ workspace: workspaceId, currency: currencyCode, enforce }, context) =>
      inInstallation(context, ({ tx, now }) =>
        switchWallet(
          tx,
          workspaceId,
          {
            enabled: true,
            enforced: enforce ?? false,
            ...(currencyCode === undefined ? {} : { currency: currencyCode }),
          },
          now,
        ),
      ),
  }),
  command({
    name: 'wallet off',
    summary: 'Stop charging messages. The wallet keeps its balance.',
    flags: { workspace },
    run: ({ workspace: workspaceId }, context) =>
      inInstallation(context, ({ tx, now }) =>
        switchWallet(tx, workspaceId, { enabled: false, enforced: false }, now),
      ),
  }),
  command({
    name: 'wallet credit',
    summary: 'Add prepaid money to a wallet, in minor units. Each reference counts once.',
    flags: {
      workspace,
      amountMinor: required(amount),
      description: text('TEXT'),
      kind: oneOf(['topup', 'refund', 'adjustment']),
      reference: text('REF'),
    },
    run: ({ workspace: workspaceId, amountMinor, description, kind = 'topup', reference }, context) => {
      if (amountMinor < 0 && kind !== 'adjustment')
        throw new UsageError('--amount-minor: Must be positive unless --kind is adjustment.')
      const credit = {
        kind,
        amountMinor,
        description:
          description ?? (kind === 'topup' ? 'Top-up' : kind === 'refund' ? 'Refund' : 'Adjustment'),
        reference: reference ?? null,
      }
      return inInstallation(context, ({ tx, now }) => creditWallet(tx, workspaceId, credit, now))
    },
  }),
]
