import { systemClock } from '../core/clock.ts'
import { CELL_NAME_RULE, isCellName } from '../core/values/cell.ts'
import { setCellAddress } from '../database/cell-directory.ts'
import { command, UsageError } from './command.ts'
import { switchFlag, webAddress } from './flags.ts'
import { openForCommand } from './installation.ts'

export const cellAddressCommand = command({
  name: 'cell set',
  summary:
    'Set the address at which a proxy and the other cells reach the processes of a cell, or remove it from routing. See docs/cells.md.',
  operand: 'NAME',
  flags: { address: webAddress, noAddress: switchFlag },
  async run({ operand: name, address, noAddress = false }, context) {
    if (!isCellName(name)) throw new UsageError(`${CELL_NAME_RULE}, not "${name}".`)
    if ((address === undefined) !== noAddress)
      throw new UsageError('Give --address URL, or --no-address to remove the cell from routing.')
    const config = context.config()
    const opened = await openForCommand(config, context.say)
    try {
      const url = config.directoryUrl ?? opened.url
      await setCellAddress(url, { name, address: address ?? null, now: systemClock.now() })
    } finally {
      await opened.close()
    }
    return { cell: name, address: address ?? null }
  },
})
