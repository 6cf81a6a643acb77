/** Shows contact cards, with links to call, write to, or open every entry. */
import { UserRound } from 'lucide-react'
import { t } from '../../texts.ts'
import { type Content, isWebAddress, listIn, objectIn, textIn } from './content.ts'
import { WebLink } from './text.tsx'

const ADDRESS = ['street', 'city', 'state', 'zip', 'country'] as const

function nameOnCard(card: Content): string {
  const name = objectIn(card, 'name')
  return textIn(name, 'formatted_name') ?? textIn(name, 'first_name') ?? t('bubble.card')
}

function Card({ card }: { card: Content }) {
  const org = objectIn(card, 'org')
  const work = ['title', 'department', 'company'].map((field) => textIn(org, field)).filter(Boolean)
  const birthday = textIn(card, 'birthday')
  return (
    <div className="flex items-start gap-2">
      <UserRound aria-hidden size={18} className="mt-px shrink-0 text-ink-3" />
      <div className="min-w-0">
        <p className="font-medium">{nameOnCard(card)}</p>
        {work.length > 0 && <p className="text-sm text-ink-2">{work.join(' · ')}</p>}
        <ul className="flex flex-col text-sm">
          {listIn(card, 'phones').map((entry, index) => {
            const phone = textIn(entry, 'phone') ?? textIn(entry, 'wa_id')
            return (
              phone && (
                // biome-ignore lint/suspicious/noArrayIndexKey: lines of one card
                <li key={`phone ${index}`}>
                  <WebLink href={`tel:${phone.replaceAll(/[^+\d]/g, '')}`}>{phone}</WebLink>
                </li>
              )
            )
          })}
          {listIn(card, 'emails').map((entry, index) => {
            const email = textIn(entry, 'email')
            return (
              email && (
                // biome-ignore lint/suspicious/noArrayIndexKey: lines of one card
                <li key={`email ${index}`} className="break-all">
                  <WebLink href={`mailto:${email}`}>{email}</WebLink>
                </li>
              )
            )
          })}
          {listIn(card, 'urls').map((entry, index) => {
            const url = textIn(entry, 'url')
            return (
              url && (
                // biome-ignore lint/suspicious/noArrayIndexKey: lines of one card
                <li key={`url ${index}`} className="break-all">
                  {isWebAddress(url) ? <WebLink href={url}>{url}</WebLink> : url}
                </li>
              )
            )
          })}
          {listIn(card, 'addresses').map((entry, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines of one card
            <li key={`address ${index}`} className="text-ink-2">
              {ADDRESS.map((field) => textIn(entry, field))
                .filter(Boolean)
                .join(', ')}
            </li>
          ))}
          {birthday && <li className="text-ink-2">{t('card.birthday', { date: birthday })}</li>}
        </ul>
      </div>
    </div>
  )
}

export const Cards = ({ content }: { content: Content }) => (
  <ul className="flex flex-col gap-2">
    {listIn(content, 'contacts').map((card, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: cards of one message
      <li key={index}>
        <Card card={card} />
      </li>
    ))}
  </ul>
)
