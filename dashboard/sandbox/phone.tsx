/** A customer's phone: the messages of the business, their buttons, and a field to answer. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import type { Api, Message } from '../../sdk/api.ts'
import { queryClient } from '../api/cache.ts'
import { call } from '../api/request.ts'
import { IconButton } from '../kit/button.tsx'
import { lazyPopup } from '../kit/lazy.tsx'
import { Select } from '../kit/select.tsx'
import { notifyError } from '../shell/notify-error.ts'
import { type Customer, useCustomers } from './customers.ts'
import { PhoneBubble, PhoneLine, PhoneLog } from './parts/phone-parts.tsx'
import { phoneQuery } from './queries.ts'
import { t } from './texts.ts'

const FillForm = lazyPopup(() => import('./fill-form.tsx').then((module) => module.FillForm))
const NewCustomer = lazyPopup(() => import('./new-customer.tsx').then((module) => module.NewCustomer))

type Inbound = Omit<Api['POST /sandbox/inbound']['body'], 'from' | 'name'>
/** A form of the business that the customer opens, and the message that it came with. */
type OpenForm = { flowId: string; replyTo: string | undefined }
type Tap = Inbound | OpenForm
type Tappable = { title: string; tap: Tap }
type Parts = {
  action?: {
    buttons?: { reply?: { id: string; title: string } }[]
    sections?: { rows?: { id: string; title: string }[] }[]
    parameters?: { flow_id?: string; flow_cta?: string }
  }
}

/** Returns the buttons that a customer can tap under our message. */
function tappableButtons(message: Message): Tappable[] {
  if (message.direction === 'inbound' || message.type !== 'interactive') return []
  const { action } = message.content as Parts
  const buttons = (action?.buttons ?? []).flatMap(({ reply }) =>
    reply ? [{ title: reply.title, tap: { buttonId: reply.id, title: reply.title } }] : [],
  )
  const rows = (action?.sections ?? []).flatMap(({ rows }) =>
    (rows ?? []).map((row) => ({ title: row.title, tap: { listId: row.id, title: row.title } })),
  )
  const { flow_id: flowId, flow_cta: title } = action?.parameters ?? {}
  const form = flowId && title ? [{ title, tap: { flowId, replyTo: message.chanmid ?? undefined } }] : []
  return [...buttons, ...rows, ...form]
}

/** Shows the messages, scrolled to the newest. */
function Messages({ customer, onTap }: { customer: Customer; onTap: (tap: Tap) => void }) {
  const { data: messages = [] } = useQuery(phoneQuery(customer.phone))
  return (
    <PhoneLog
      label={t('messages', { name: customer.name })}
      empty={messages.length === 0 ? t('empty', { name: customer.name }) : undefined}
      newest={messages[0]?.id}
    >
      {messages
        .filter(({ type }) => type !== 'reaction')
        .toReversed()
        .map((message) => (
          <PhoneBubble
            key={message.id}
            isFromCustomer={message.direction === 'inbound'}
            text={message.text ?? t('other', { kind: message.type })}
            at={message.createdAt}
            taps={tappableButtons(message)}
            onTap={onTap}
          />
        ))}
    </PhoneLog>
  )
}

export function Phone({ workspace }: { workspace: string }) {
  const { customers, current, choose, add } = useCustomers(workspace)
  const [isAdding, setAdding] = useState(false)
  const [form, setForm] = useState<OpenForm>()
  const { mutate } = useMutation({
    mutationFn: (body: Inbound) =>
      call('POST /sandbox/inbound', { body: { from: current.phone, name: current.name, ...body } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: phoneQuery(current.phone).queryKey }),
    onError: notifyError,
  })
  return (
    <section aria-label={t('phone.of', { name: current.name })} className="flex min-h-0 flex-1 flex-col">
      <header className="flex items-center gap-1 border-b p-2">
        <Select
          name={t('customer')}
          value={current.phone}
          onChange={choose}
          choices={customers.map(({ phone, name }) => ({ value: phone, label: name, hint: phone }))}
          className="min-w-0 flex-1"
        />
        <IconButton icon={UserPlus} label={t('customer.new')} onClick={() => setAdding(true)} />
      </header>
      <Messages customer={current} onTap={(tap) => ('flowId' in tap ? setForm(tap) : mutate(tap))} />
      <PhoneLine
        label={t('label', { name: current.name })}
        placeholder={t('placeholder', { name: current.name })}
        onSend={(text) => mutate({ text })}
      />
      {form && (
        <FillForm
          key={form.replyTo}
          open
          flowId={form.flowId}
          onClose={() => setForm(undefined)}
          onSubmit={(formAnswers) => mutate({ formAnswers, replyTo: form.replyTo })}
        />
      )}
      <NewCustomer open={isAdding} onClose={() => setAdding(false)} onAdd={add} />
    </section>
  )
}
