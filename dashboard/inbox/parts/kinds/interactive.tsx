/**
 * Shows interactive messages that we sent, as the customer sees them: buttons, lists, links, products, and
 * forms.
 */
import {
  ExternalLink,
  FileText,
  Image,
  List,
  type LucideIcon,
  MapPin,
  Phone,
  Reply,
  ShoppingBag,
  SquarePen,
  UserRound,
  Video,
} from 'lucide-react'
import type { ReactNode } from 'react'
import type { Message } from '../../../../sdk/api.ts'
import { t } from '../../texts.ts'
import { OrderDetails } from '../order/order.tsx'
import { answerIn } from './answer.tsx'
import { type Content, isWebAddress, listIn, objectIn, textIn } from './content.ts'
import { Formatted, WebLink } from './text.tsx'

const HEADERS: Record<string, LucideIcon> = { image: Image, video: Video, document: FileText }

/** Shows a button under a message. With an address, it is a link. */
export function Button({
  icon: Icon,
  label,
  href,
}: {
  icon: LucideIcon
  label: string
  href?: string | undefined
}) {
  const inner = (
    <>
      <Icon aria-hidden size={14} className="shrink-0" />
      <span className="min-w-0 break-words">{label}</span>
    </>
  )
  return (
    <li className="flex items-center justify-center gap-1.5 rounded-md border border-line bg-surface-1/60 px-3 py-1 text-center text-sm">
      {isWebAddress(href) ? <WebLink href={href}>{label}</WebLink> : inner}
    </li>
  )
}

export const Buttons = ({ children }: { children: ReactNode }) => (
  <ul className="mt-1.5 flex flex-col gap-1">{children}</ul>
)

/** Names the picture, video, or file above a message; the operator stores it. */
export function MediaHeader({ kind, media }: { kind: string; media: Content | undefined }) {
  const Icon = HEADERS[kind] ?? FileText
  const link = textIn(media, 'link')
  const name =
    textIn(media, 'filename') ??
    t(kind === 'image' || kind === 'video' ? `bubble.${kind}` : 'bubble.document')
  return (
    <p className="mb-1.5 flex min-h-16 items-center justify-center gap-2 rounded-md bg-surface-1/60 px-3 text-sm text-ink-2">
      <Icon aria-hidden size={20} className="shrink-0 text-ink-3" />
      {isWebAddress(link) ? <WebLink href={link}>{name}</WebLink> : name}
    </p>
  )
}

export function Header({ header }: { header: Content | undefined }) {
  const kind = textIn(header, 'type')
  if (kind && kind in HEADERS) return <MediaHeader kind={kind} media={objectIn(header, kind)} />
  const text = textIn(header, 'text')
  return text ? <p className="mb-1 font-semibold">{text}</p> : null
}

/** Shows the rows of a list, under their headings. */
const Sections = ({ sections }: { sections: Content[] }) => (
  <div className="mt-1.5 flex flex-col gap-1.5">
    {sections.map((section, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: sections of one list
      <div key={index}>
        {textIn(section, 'title') && (
          <p className="text-xs font-medium text-ink-3">{textIn(section, 'title')}</p>
        )}
        <ul>
          {[...listIn(section, 'rows'), ...listIn(section, 'product_items')].map((row, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of one section
            <li key={place} className="border-b border-line py-1 last:border-0">
              <p>{textIn(row, 'title') ?? textIn(row, 'product_retailer_id')}</p>
              {textIn(row, 'description') && (
                <p className="text-sm text-ink-2">{textIn(row, 'description')}</p>
              )}
            </li>
          ))}
        </ul>
      </div>
    ))}
  </div>
)

/** Returns the buttons below a message of this kind. */
function actionsOf(kind: string | undefined, action: Content | undefined): ReactNode {
  const parameters = objectIn(action, 'parameters')
  const products =
    textIn(action, 'product_retailer_id') ?? textIn(parameters, 'thumbnail_product_retailer_id')
  switch (kind ?? '') {
    case 'button':
      return listIn(action, 'buttons').map((button, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: buttons of one message
        <Button key={index} icon={Reply} label={textIn(objectIn(button, 'reply'), 'title') ?? ''} />
      ))
    case 'list':
      return <Button icon={List} label={textIn(action, 'button') ?? ''} />
    case 'cta_url':
      return (
        <Button
          icon={ExternalLink}
          label={textIn(parameters, 'display_text') ?? textIn(parameters, 'url') ?? ''}
          href={textIn(parameters, 'url')}
        />
      )
    case 'flow':
      return <Button icon={SquarePen} label={textIn(parameters, 'flow_cta') ?? t('bubble.fill')} />
    case 'product':
    case 'product_list':
    case 'catalog_message':
      return (
        <Button
          icon={ShoppingBag}
          label={products ? t('bubble.product', { code: products }) : t('bubble.catalog')}
        />
      )
    case 'location_request_message':
      return <Button icon={MapPin} label={t('bubble.askLocation')} />
    case 'address_message':
      return <Button icon={MapPin} label={t('bubble.askAddress')} />
    case 'call_permission_request':
      return <Button icon={Phone} label={t('bubble.askCalls')} />
    case 'request_contact_info':
      return <Button icon={UserRound} label={t('bubble.askNumber')} />
    default:
      return null
  }
}

function SentContent({ content, text }: { content: Content; text: string | undefined }) {
  const kind = textIn(content, 'type')
  const action = objectIn(content, 'action')
  const isOrder = kind === 'order_details' || kind === 'order_status'
  const actions = actionsOf(kind, action)
  const sections = listIn(action, 'sections')
  const footer = textIn(objectIn(content, 'footer'), 'text')
  return (
    <>
      <Header header={objectIn(content, 'header')} />
      {isOrder && <OrderDetails content={content} />}
      {text && <Formatted text={text} />}
      {footer && (
        <div className="text-xs text-ink-3">
          <Formatted text={footer} />
        </div>
      )}
      {sections.length > 0 && <Sections sections={sections} />}
      {actions && <Buttons>{actions}</Buttons>}
    </>
  )
}

/** Shows cards in a row; each card is a small message. */
const Cards = ({ cards }: { cards: Content[] }) => (
  <ul className="mt-1.5 flex max-w-full gap-2 overflow-x-auto pb-1">
    {cards.map((card, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: cards of one message
      <li key={index} className="w-48 shrink-0 rounded-md border border-line p-2">
        <SentContent content={card} text={textIn(objectIn(card, 'body'), 'text')} />
      </li>
    ))}
  </ul>
)

/** Shows one of our interactive messages, or the answer to one. */
export function Interactive({ message }: { message: Message }) {
  const content = message.content as Content
  const answer = answerIn(content)
  if (answer) return answer
  const cards = listIn(objectIn(content, 'action'), 'cards')
  return (
    <>
      <SentContent content={content} text={message.text ?? undefined} />
      {cards.length > 0 && <Cards cards={cards} />}
    </>
  )
}
