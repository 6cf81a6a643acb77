import { backupCommands } from './backup-commands.ts'
import { billingCommands } from './billing-commands.ts'
import type { Command } from './command.ts'
import { docsCommand } from './docs-command.ts'
import { doctorCommand } from './doctor-command.ts'
import { eraseCommands } from './erase-commands.ts'
import { eventCommands } from './event-commands.ts'
import { exportCommand } from './export-command.ts'
import { gatewayCommands } from './gateway-commands.ts'
import { importCommands } from './import-commands.ts'
import { keyCommands } from './key-commands.ts'
import { memberCommands } from './member-commands.ts'
import { migrateCommand } from './migrate-command.ts'
import { numberCommands } from './number-commands.ts'
import { referenceCommand } from './reference-command.ts'
import { signInCommand } from './sign-in-command.ts'
import { simulateFactCommands } from './simulate-fact-commands.ts'
import { simulateFaultCommand } from './simulate-fault-command.ts'
import { simulatePaymentCommands } from './simulate-payment-commands.ts'
import { simulateSocialCommands } from './simulate-social-commands.ts'
import { simulatorCommand } from './simulator-command.ts'
import { socialCommands } from './social-commands.ts'
import { workspaceCommands } from './workspace-commands.ts'

/** Every command, in the order of the usage text. */
export const commands: Command[] = [
  ...workspaceCommands,
  ...eraseCommands,
  ...keyCommands,
  ...memberCommands,
  ...numberCommands,
  signInCommand,
  ...socialCommands,
  ...gatewayCommands,
  ...billingCommands,
  ...importCommands,
  migrateCommand,
  ...backupCommands,
  exportCommand,
  ...eventCommands,
  doctorCommand,
  simulatorCommand,
  ...simulateSocialCommands,
  ...simulatePaymentCommands,
  ...simulateFactCommands,
  simulateFaultCommand,
  docsCommand,
  referenceCommand,
]
