import type { Command } from './command.ts'

/** Loads the commands of one file; `names` are their names in order. */
type CommandFile = { names: string[]; load(): Promise<Command[]> }

/**
 * The files of all commands, in the order of the usage text. A file is loaded only to run one of its commands, because loading
 * all files takes longer than most commands run.
 */
export const COMMAND_FILES: CommandFile[] = [
  { names: ['start'], load: async () => [(await import('./start-command.ts')).startCommand] },
  {
    names: ['workspace create', 'workspace list', 'workspace set'],
    load: async () => (await import('./workspace-commands.ts')).workspaceCommands,
  },
  {
    names: ['workspace delete', 'receipt check'],
    load: async () => (await import('./erase-commands.ts')).eraseCommands,
  },
  {
    names: ['key create', 'key list', 'key revoke'],
    load: async () => (await import('./key-commands.ts')).keyCommands,
  },
  {
    names: ['member add', 'member set', 'member reset-factors', 'member list'],
    load: async () => (await import('./member-commands.ts')).memberCommands,
  },
  {
    names: ['number add', 'number set'],
    load: async () => (await import('./number-commands.ts')).numberCommands,
  },
  { names: ['sign-in'], load: async () => [(await import('./sign-in-command.ts')).signInCommand] },
  {
    names: ['social connect', 'social disconnect'],
    load: async () => (await import('./social-commands.ts')).socialCommands,
  },
  {
    names: ['gateway set', 'gateway remove'],
    load: async () => (await import('./gateway-commands.ts')).gatewayCommands,
  },
  {
    names: ['rates import', 'wallet on', 'wallet off', 'wallet credit'],
    load: async () => (await import('./billing-commands.ts')).billingCommands,
  },
  {
    names: ['import leads', 'import contacts'],
    load: async () => (await import('./import-commands.ts')).importCommands,
  },
  { names: ['migrate'], load: async () => [(await import('./migrate-command.ts')).migrateCommand] },
  { names: ['backup', 'restore'], load: async () => (await import('./backup-commands.ts')).backupCommands },
  { names: ['export'], load: async () => [(await import('./export-command.ts')).exportCommand] },
  {
    names: ['listen', 'events tail', 'trigger', 'resend'],
    load: async () => (await import('./event-commands.ts')).eventCommands,
  },
  { names: ['doctor'], load: async () => [(await import('./doctor-command.ts')).doctorCommand] },
  { names: ['simulator'], load: async () => [(await import('./simulator-command.ts')).simulatorCommand] },
  {
    names: ['simulate dm', 'simulate comment'],
    load: async () => (await import('./simulate-social-commands.ts')).simulateSocialCommands,
  },
  {
    names: ['simulate payment'],
    load: async () => (await import('./simulate-payment-commands.ts')).simulatePaymentCommands,
  },
  {
    names: ['simulate order', 'simulate call', 'simulate customer', 'simulate review'],
    load: async () => (await import('./simulate-fact-commands.ts')).simulateFactCommands,
  },
  {
    names: ['simulate fault'],
    load: async () => [(await import('./simulate-fault-command.ts')).simulateFaultCommand],
  },
  { names: ['reference'], load: async () => [(await import('./reference-command.ts')).referenceCommand] },
]

/** Returns every command, in the order of the usage text. */
export const loadCommands = async (): Promise<Command[]> =>
  (await Promise.all(COMMAND_FILES.map((file) => file.load()))).flat()
