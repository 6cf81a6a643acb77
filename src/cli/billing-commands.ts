// The rates that the operator charges by, and the prepaid money of workspaces (docs/decisions/analytics.md).
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { CsvError, parse } from 'csv-parse'
import { z } from 'zod'
import { importRates } from '../modules/billing/operations/costs.ts'
import { creditWallet, switchWallet } from '../modules/billing/operations/wallet.ts'
import { command, type Flag, UsageError } from './command.ts'
import { givenOrNot, id, oneOf, required, text } from './flags.ts'
import { inInstallation } from './installation.ts'

const currency: Flag<string> = {
  placeholder: 'INR',
  parse(given) {
    if (!/^[A-Z]{3}$/.test(given)) throw new UsageError(`"${given}" is not a currency such as INR`)
    return given
  },
}

const MAX_AMOUNT_DIGITS = 13
/** Minor units; below 0 takes out. */
const amount: Flag<number> = {
  placeholder: 'N',
  parse(given) {
    const isAmount = new RegExp(`^-?\\d{1,${MAX_AMOUNT_DIGITS}}$`).test(given) && Number(given) !== 0
    if (!isAmount) throw new UsageError(`"${given}" is not a whole number of minor units other than 0`)
    return Number(given)
  },
}

const RateRow = z.object({
  market: z.string().regex(/^([A-Z]{2}|\*)$/, 'must be a country such as IN, or * for every other'),
  category: z.string().regex(/^[a-z_]{1,40}$/, 'must be a category such as marketing'),
  validFrom: z.iso.date('must be a day such as 2026-06-01'),
  millionths: z
    .string()
    .regex(/^\d{1,12}$/, 'must be a whole number: millionths of a unit of the currency')
    .transform(Number),
})

const MAX_RATES = 50_000
/** A row of four short cells is never longer. */
const MAX_RATE_CHARACTERS = 1_000

/** The rates of a CSV file with the columns market, category, validFrom and millionths. */
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
    await pipeline(createReadStream(file), parser, async (read: AsyncIterable<unknown>) => {
      for await (const row of read) {
        if (rows.push(row) > MAX_RATES)
          throw new Error(`The file has more than ${MAX_RATES} rates. Leave old ones out.`)
      }
    })
  } catch (error) {
    if (error instanceof CsvError) throw new Error(`The file is no CSV: ${error.message}`)
    throw error
  }
  if (rows.length === 0)
    throw new Error('The file has no rates. Its first line is market,category,validFrom,millionths.')
  const read = rows.map((row) => RateRow.safeParse(row))
  const faults = read.flatMap(({ error }, i) =>
    (error?.issues ?? []).map((issue) => `row ${i + 1}, ${issue.path.join('.')}: ${issue.message}`),
  )
  if (faults.length > 0) throw new Error(faults.slice(0, 20).join('\n'))
  const keys = read.map(({ data }) => `${data!.market} ${data!.category} ${data!.validFrom}`)
  const seen = new Set<string>()
  const twice = keys.find((key) => seen.size === seen.add(key).size)
  if (twice) throw new Error(`The rate ${twice} stands in the file twice.`)
  return read.map(({ data }) => data!)
}

const workspace = required(id())

export const billingCommands = [
  command({
    name: 'rates import',
    summary: "Take in the operator's rate card: a CSV of market, category, validFrom and millionths.",
    operand: 'FILE',
    flags: { workspace, currency: required(currency) },
    run: async ({ operand, workspace: workspaceId, currency: of }, at) => {
      const rates = await readRates(operand)
      return inInstallation(at, async ({ tx, now }) => {
        await importRates(tx, workspaceId, rates, { currency: of, at: now })
        return { workspaceId, rates: rates.length, currency: of }
      })
    },
  }),
  command({
    name: 'wallet on',
    summary: 'Charge messages to prepaid money from today on; enforced, nothing is sent once it is used up.',
    flags: { workspace, currency, enforce: givenOrNot },
    run: ({ workspace: workspaceId, currency: of, enforce }, at) =>
      inInstallation(at, ({ tx, now }) =>
        switchWallet(
          tx,
          workspaceId,
          { enabled: true, enforced: enforce ?? false, ...(of === undefined ? {} : { currency: of }) },
          now,
        ),
      ),
  }),
  command({
    name: 'wallet off',
    summary: 'Charge no more. What is in the wallet stays.',
    flags: { workspace },
    run: ({ workspace: workspaceId }, at) =>
      inInstallation(at, ({ tx, now }) =>
        switchWallet(tx, workspaceId, { enabled: false, enforced: false }, now),
      ),
  }),
  command({
    name: 'wallet credit',
    summary: 'Put prepaid money into a wallet, in minor units; a reference counts once.',
    flags: {
      workspace,
      amountMinor: required(amount),
      description: text('TEXT'),
      kind: oneOf(['topup', 'refund', 'adjustment']),
      reference: text('REF'),
    },
    run: ({ workspace: workspaceId, amountMinor, description, kind = 'topup', reference }, at) => {
      if (amountMinor < 0 && kind !== 'adjustment')
        throw new UsageError('--amount-minor: only an adjustment takes money out')
      const credit = {
        kind,
        amountMinor,
        description:
          description ?? (kind === 'topup' ? 'Top-up' : kind === 'refund' ? 'Refund' : 'Adjustment'),
        reference: reference ?? null,
      }
      return inInstallation(at, ({ tx, now }) => creditWallet(tx, workspaceId, credit, now))
    },
  }),
]
