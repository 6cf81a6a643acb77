/**
 * Shows a template as the customer sees it: the values come from the message, the rest from the template with
 * that name.
 */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Copy, ExternalLink, type LucideIcon, Phone, Reply, SquarePen } from 'lucide-react'
import type { Message } from '../../../../sdk/api.ts'
import { call } from '../../../api/request.ts'
import { formatFull } from '../../../kit/time.tsx'
import { t } from '../../texts.ts'
import { type Content, listIn, numberIn, objectIn, textIn } from './content.ts'
import { Button, Buttons, MediaHeader } from './interactive.tsx'
import { Formatted, Kind } from './text.tsx'

const BUTTONS: Record<string, LucideIcon> = {
  URL: ExternalLink,
  PHONE_NUMBER: Phone,
  COPY_CODE: Copy,
  OTP: Copy,
  FLOW: SquarePen,
}
const PLACEHOLDER = /\{\{\s*(\w+)\s*\}\}/g
const MEDIA = ['image', 'video', 'document']

const namedQuery = (name: string, language: string) =>
  queryOptions({
    queryKey: ['template', 'list', 'named', name, language],
    queryFn: async () =>
      (await call('GET /templates', { query: { name, language, limit: 1 } })).templates[0] ?? null,
    staleTime: 5 * 60_000,
  })

const kindOf = (part: Content): string => (textIn(part, 'type') ?? '').toUpperCase()

/** Fills a text with the parameters, in order or by name. */
function fillPlaceholders(text: string, parameters: Content[]): string {
  return text.replace(PLACEHOLDER, (whole, name: string) => {
    const parameter =
      parameters.find((candidate) => textIn(candidate, 'parameter_name') === name) ??
      parameters[Number(name) - 1]
    return textIn(parameter, 'text') ?? whole
  })
}

/** Returns the address of a button whose link has a variable ending. */
const addressOf = (button: Content, sent: Content | undefined): string | undefined =>
  textIn(button, 'url')?.replace(PLACEHOLDER, () => textIn(listIn(sent, 'parameters')[0], 'text') ?? '')

function Parts({ parts, sent, body }: { parts: Content[]; sent: Content[]; body: string | undefined }) {
  const part = (kind: string) => parts.find((candidate) => kindOf(candidate) === kind)
  const sentPart = (kind: string) => sent.find((candidate) => kindOf(candidate) === kind)
  const header = part('HEADER')
  const headerGiven = listIn(sentPart('HEADER'), 'parameters')
  const format = (textIn(header, 'format') ?? textIn(headerGiven[0], 'type') ?? '').toLowerCase()
  const footer = textIn(part('FOOTER'), 'text')
  const buttons = listIn(part('BUTTONS'), 'buttons')
  const buttonAt = (index: number) =>
    sent.find((candidate) => kindOf(candidate) === 'BUTTON' && Number(candidate.index ?? 0) === index)
  const offer = listIn(sentPart('LIMITED_TIME_OFFER'), 'parameters')[0]
  const until = numberIn(objectIn(offer, 'limited_time_offer'), 'expiration_time_ms')
  const offerText = textIn(objectIn(part('LIMITED_TIME_OFFER'), 'limited_time_offer'), 'text')
  return (
    <>
      {MEDIA.includes(format) && <MediaHeader kind={format} media={objectIn(headerGiven[0], format)} />}
      {textIn(header, 'text') && (
        <p dir="auto" className="mb-1 font-semibold">
          {fillPlaceholders(textIn(header, 'text') ?? '', headerGiven)}
        </p>
      )}
      {(offerText ?? until) && (
        <p className="mb-1 text-sm font-medium">
          {offerText} {until && t('bubble.offerUntil', { time: formatFull(new Date(until).toISOString()) })}
        </p>
      )}
      {body && <Formatted text={body} />}
      {footer && <p className="text-xs text-ink-3">{footer}</p>}
      {buttons.length > 0 && (
        <Buttons>
          {buttons.map((button, index) => {
            const code = textIn(listIn(buttonAt(index), 'parameters')[0], 'coupon_code')
            const label = textIn(button, 'text') ?? ''
            return (
              <Button
                // biome-ignore lint/suspicious/noArrayIndexKey: buttons of one template
                key={index}
                icon={BUTTONS[kindOf(button)] ?? Reply}
                label={code ? `${label} · ${code}` : label}
                href={kindOf(button) === 'URL' ? addressOf(button, buttonAt(index)) : undefined}
              />
            )
          })}
        </Buttons>
      )}
    </>
  )
}

/** Shows the cards of a carousel, each filled with the values sent for it. */
function Carousel({ parts, sent }: { parts: Content[]; sent: Content[] }) {
  const cards = listIn(
    parts.find((part) => kindOf(part) === 'CAROUSEL'),
    'cards',
  )
  const sentCards = listIn(
    sent.find((part) => kindOf(part) === 'CAROUSEL'),
    'cards',
  )
  if (cards.length === 0) return null
  return (
    <ul className="mt-1.5 flex max-w-full gap-2 overflow-x-auto pb-1">
      {cards.map((card, index) => {
        const own = listIn(card, 'components')
        const filling = listIn(sentCards[index], 'components')
        const body = textIn(
          own.find((part) => kindOf(part) === 'BODY'),
          'text',
        )
        const parameters = listIn(
          filling.find((part) => kindOf(part) === 'BODY'),
          'parameters',
        )
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: cards of one message
          <li key={index} className="w-48 shrink-0 rounded-md border border-line p-2">
            <Parts parts={own} sent={filling} body={body && fillPlaceholders(body, parameters)} />
          </li>
        )
      })}
    </ul>
  )
}

export function TemplateMessage({ message }: { message: Message }) {
  const content = message.content as Content
  const name = textIn(content, 'name') ?? ''
  const { data } = useQuery({
    ...namedQuery(name, textIn(objectIn(content, 'language'), 'code') ?? ''),
    enabled: name !== '',
  })
  const parts = (data?.components ?? []) as Content[]
  const sent = listIn(content, 'components')
  return (
    <>
      <Kind>{t('bubble.template', { name })}</Kind>
      <Parts parts={parts} sent={sent} body={message.text ?? undefined} />
      <Carousel parts={parts} sent={sent} />
    </>
  )
}
