import type { Command } from './command.ts'

/** Loads the commands of one file of this folder; `names` are their names in order. */
type CommandFile = { file: string; names: string[]; load(): Promise<Command[]> }

/**
 * The files of all commands, in the order of the usage text. A file is loaded only to run one of its commands, because loading
 * all files takes longer than most commands run.
 */
export const COMMAND_FILES: CommandFile[] = [
  {
    file: 'start-command',
    names: ['start'],
    load: async () => [(await import('./start-command.ts')).startCommand],
  },
  {
    file: 'workspace-commands',
    names: ['workspace create', 'workspace list', 'workspace set'],
    load: async () => (await import('./workspace-commands.ts')).workspaceCommands,
  },
  {
    file: 'move-command',
    names: ['workspace move'],
    load: async () => [(await import('./move-command.ts')).moveCommand],
  },
  {
    file: 'erase-commands',
    names: ['workspace delete', 'receipt check'],
    load: async () => (await import('./erase-commands.ts')).eraseCommands,
  },
  {
    file: 'key-commands',
    names: ['key create', 'key list', 'key revoke'],
    load: async () => (await import('./key-commands.ts')).keyCommands,
  },
  {
    file: 'member-commands',
    names: ['member add', 'member set', 'member reset-factors', 'member list'],
    load: async () => (await import('./member-commands.ts')).memberCommands,
  },
  {
    file: 'number-commands',
    names: ['number add', 'number set'],
    load: async () => (await import('./number-commands.ts')).numberCommands,
  },
  {
    file: 'sign-in-command',
    names: ['sign-in'],
    load: async () => [(await import('./sign-in-command.ts')).signInCommand],
  },
  {
    file: 'social-commands',
    names: ['social connect', 'social disconnect'],
    load: async () => (await import('./social-commands.ts')).socialCommands,
  },
  {
    file: 'gateway-commands',
    names: ['gateway set', 'gateway remove'],
    load: async () => (await import('./gateway-commands.ts')).gatewayCommands,
  },
  {
    file: 'billing-commands',
    names: ['rates import', 'wallet on', 'wallet off', 'wallet credit'],
    load: async () => (await import('./billing-commands.ts')).billingCommands,
  },
  {
    file: 'import-commands',
    names: ['import leads', 'import contacts'],
    load: async () => (await import('./import-commands.ts')).importCommands,
  },
  {
    file: 'import-from-commands',
    names: ['import-from whatsapp-export', 'import-from csv-history'],
    load: async () => (await import('./import-from-commands.ts')).importFromCommands,
  },
  {
    file: 'import-chatwoot-command',
    names: ['import-from chatwoot'],
    load: async () => [(await import('./import-chatwoot-command.ts')).importChatwootCommand],
  },
  {
    file: 'migrate-command',
    names: ['migrate'],
    load: async () => [(await import('./migrate-command.ts')).migrateCommand],
  },
  {
    file: 'cell-commands',
    names: ['cell create', 'cell list', 'cell migrate', 'cell doctor'],
    load: async () => (await import('./cell-commands.ts')).cellCommands,
  },
  {
    file: 'citus-commands',
    names: ['cell distribute', 'cell move'],
    load: async () => (await import('./citus-commands.ts')).citusCommands,
  },
  {
    file: 'cell-address-command',
    names: ['cell set'],
    load: async () => [(await import('./cell-address-command.ts')).cellAddressCommand],
  },
  {
    file: 'backup-commands',
    names: ['backup', 'restore'],
    load: async () => (await import('./backup-commands.ts')).backupCommands,
  },
  {
    file: 'export-command',
    names: ['export'],
    load: async () => [(await import('./export-command.ts')).exportCommand],
  },
  {
    file: 'event-commands',
    names: ['listen', 'events tail', 'trigger', 'resend'],
    load: async () => (await import('./event-commands.ts')).eventCommands,
  },
  {
    file: 'mcp-command',
    names: ['mcp'],
    load: async () => [(await import('./mcp-command.ts')).mcpCommand],
  },
  {
    file: 'chaos-command',
    names: ['chaos'],
    load: async () => [(await import('./chaos-command.ts')).chaosCommand],
  },
  {
    file: 'doctor-command',
    names: ['doctor'],
    load: async () => [(await import('./doctor-command.ts')).doctorCommand],
  },
  {
    file: 'simulator-command',
    names: ['simulator'],
    load: async () => [(await import('./simulator-command.ts')).simulatorCommand],
  },
  {
    file: 'simulate-social-commands',
    names: ['simulate dm', 'simulate comment'],
    load: async () => (await import('./simulate-social-commands.ts')).simulateSocialCommands,
  },
  {
    file: 'simulate-payment-commands',
    names: ['simulate payment'],
    load: async () => (await import('./simulate-payment-commands.ts')).simulatePaymentCommands,
  },
  {
    file: 'simulate-fact-commands',
    names: ['simulate order', 'simulate call', 'simulate customer', 'simulate review'],
    load: async () => (await import('./simulate-fact-commands.ts')).simulateFactCommands,
  },
  {
    file: 'simulate-fault-command',
    names: ['simulate fault'],
    load: async () => [(await import('./simulate-fault-command.ts')).simulateFaultCommand],
  },
  {
    file: 'docs-command',
    names: ['docs'],
    load: async () => [(await import('./docs-command.ts')).docsCommand],
  },
  {
    file: 'reference-command',
    names: ['reference'],
    load: async () => [(await import('./reference-command.ts')).referenceCommand],
  },
]

/** Returns every command, in the order of the usage text. */
export const loadCommands = async (): Promise<Command[]> =>
  (await Promise.all(COMMAND_FILES.map((file) => file.load()))).flat()
