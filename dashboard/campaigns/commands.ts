import type { Command } from '../commands.ts'
import type en from './en.json'
import type { Steering } from './use-campaign.ts'

type Key = keyof typeof en

/** Defines the commands for the open campaign. */
export type CampaignAt = { can: (steering: Steering) => boolean; run: (steering: Steering) => void }

export const CAMPAIGN_COMMANDS: readonly Command<CampaignAt, Key>[] = [
  { id: 'start', title: 'start', when: (at) => at.can('start'), run: (at) => at.run('start') },
  { id: 'pause', title: 'pause', keys: 'p', when: (at) => at.can('pause'), run: (at) => at.run('pause') },
  { id: 'resume', title: 'resume', keys: 'p', when: (at) => at.can('resume'), run: (at) => at.run('resume') },
  { id: 'cancel', title: 'cancel', when: (at) => at.can('cancel'), run: (at) => at.run('cancel') },
]

export const LIST_COMMANDS: readonly Command<{ mayWrite: boolean; create: () => void }, Key>[] = [
  { id: 'create', title: 'create', keys: 'c', when: (at) => at.mayWrite, run: (at) => at.create() },
]
