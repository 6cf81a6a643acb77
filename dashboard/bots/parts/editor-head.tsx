/** Shows the header above a bot's outline: its state, and its actions. */
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { Copy, Ellipsis, Trash2 } from 'lucide-react'
import type { Bot } from '../../../sdk/api.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button, IconButton } from '../../kit/button.tsx'
import { Menu } from '../../kit/menu.tsx'
import { Switch } from '../../kit/switch.tsx'
import { notify } from '../../kit/toasts.tsx'
import { notifyError } from '../../shell/notify-error.ts'
import { botsQuery, changeBot, copyBot } from '../queries.ts'
import { t } from '../texts.ts'
import type { Editor } from './use-editor.ts'

/** Shows the version, and the number of chats the bot is active in. */
export function Running({ bot }: { bot: Bot }) {
  const { data } = useInfiniteQuery(botsQuery)
  const running = data?.pages.flatMap((page) => page.bots).find(({ id }) => id === bot.id)?.running
  return (
    <>
      {t('version', { version: bot.version })} {running !== undefined && t('running', { count: running })}
    </>
  )
}

type HeadProps = {
  bot: Bot
  mayEdit: boolean
  editor: Editor
  onRemove: () => void
  /** Opens another bot. */
  onOpen: (id: string) => void
}

export function Head({ bot, mayEdit, editor, onRemove, onOpen }: HeadProps) {
  const { mutate, isPending } = useMutation({
    mutationFn: (enabled: boolean) => changeBot(bot.id, { enabled }),
    onSuccess: (_, enabled) => notify({ title: t(enabled ? 'switched.on' : 'switched.off'), kind: 'good' }),
    onError: notifyError,
  })
  const copy = useMutation({
    mutationFn: () => copyBot(bot, t('copy.name', { name: bot.name })),
    onSuccess: ({ id }) => {
      notify({ title: t('copied'), kind: 'good' })
      onOpen(id)
    },
    onError: notifyError,
  })
  if (!mayEdit)
    return <Badge tone={bot.enabled ? 'good' : 'plain'}>{t(bot.enabled ? 'state.on' : 'state.off')}</Badge>
  return (
    <>
      <Switch label={t('switch')} checked={bot.enabled} onChange={mutate} disabled={isPending} />
      <Button
        variant="primary"
        keys="$mod+s"
        disabled={!editor.isChanged}
        busy={editor.isSaving}
        onClick={() => void editor.save()}
      >
        {t('save')}
      </Button>
      <Menu
        align="end"
        trigger={<IconButton icon={Ellipsis} label={t('menu')} />}
        entries={[
          { label: t('copy'), icon: Copy, onSelect: () => copy.mutate(), disabled: copy.isPending },
          { label: t('discard'), onSelect: editor.discard, disabled: !editor.isChanged },
          { label: t('remove'), icon: Trash2, danger: true, onSelect: onRemove },
        ]}
      />
    </>
  )
}
