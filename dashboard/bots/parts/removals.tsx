/** Asks for confirmation before a part of a bot, or the bot, is deleted. */
import { useMutation } from '@tanstack/react-query'
import type { Bot } from '../../../sdk/api.ts'
import { Confirm } from '../../kit/dialog.tsx'
import { notify } from '../../kit/toasts.tsx'
import { notifyError } from '../../shell/notify-error.ts'
import { removeBot } from '../queries.ts'
import { type Node, removeNode, type Script } from '../script.ts'
import { t } from '../texts.ts'
import { formatNode } from './format.ts'

type RemovePartProps = {
  script: Script
  /** Undefined if no node is to be removed. */
  node: Node | undefined
  onClose: () => void
  onRemove: (rest: Script) => void
}

/** Shows how many parts are removed too, because only this part leads to them. */
export function RemovePart({ script, node, onClose, onRemove }: RemovePartProps) {
  const rest = node && removeNode(script, node.id)
  const others = rest ? script.nodes.length - rest.nodes.length - 1 : 0
  return (
    <Confirm
      open={node !== undefined}
      onClose={onClose}
      title={t('remove.node.title', { name: node ? formatNode(node) : '' })}
      description={others > 0 ? t('remove.node.text', { count: others }) : undefined}
      action={t('remove.node.action')}
      onConfirm={() => rest && onRemove(rest)}
      danger
    />
  )
}

type RemoveBotProps = { bot: Bot; open: boolean; onClose: () => void; onRemoved: () => void }

export function RemoveBot({ bot, open, onClose, onRemoved }: RemoveBotProps) {
  const { mutate, isPending } = useMutation({
    mutationFn: () => removeBot(bot.id),
    onSuccess: () => {
      notify({ title: t('removed', { name: bot.name }), kind: 'good' })
      onRemoved()
    },
    onError: notifyError,
  })
  return (
    <Confirm
      open={open}
      onClose={onClose}
      title={t('remove.title', { name: bot.name })}
      description={t('remove.text')}
      action={t('remove')}
      onConfirm={() => mutate()}
      busy={isPending}
      danger
    />
  )
}
