import { type Command, createCommand } from '../commands.ts'
import type en from './en.json'
import type { CampaignAction } from './use-campaign.ts'

type Key = keyof typeof en

/** Defines the commands for the open campaign. */
export type CampaignContext = {
  can: (steering: CampaignAction) => boolean
  run: (steering: CampaignAction) => void
}

export const CAMPAIGN_COMMANDS: readonly Command<CampaignContext, Key>[] = [
  {
    id: 'start',
    title: 'start',
    when: (context) => context.can('start'),
    run: (context) => context.run('start'),
  },
  {
    id: 'pause',
    title: 'pause',
    keys: 'p',
    when: (context) => context.can('pause'),
    run: (context) => context.run('pause'),
  },
  {
    id: 'resume',
    title: 'resume',
    keys: 'p',
    when: (context) => context.can('resume'),
    run: (context) => context.run('resume'),
  },
  {
    id: 'cancel',
    title: 'cancel',
    when: (context) => context.can('cancel'),
    run: (context) => context.run('cancel'),
  },
]

export const LIST_COMMANDS: readonly Command<{ mayWrite: boolean; create: () => void }, Key>[] = [
  createCommand('create', 'create'),
]
