/** Shows the origin of a message: forwarded, an advertisement, a product it asks about, or an import. */
import { History } from 'lucide-react'
import { t as inbox } from '../../texts.ts'
import { type Content, isWebAddress, listIn, objectIn, textIn } from '../kinds/content.ts'
import { WebLink } from '../kinds/text.tsx'
import { t } from './texts.ts'

/** Shows the origin of a message: forwarded, an advertisement, or a product it asks about. */
export function Origin({ context }: { context: Content }) {
  const ad = objectIn(context, 'referral')
  const product = textIn(objectIn(context, 'referred_product'), 'product_retailer_id')
  const isForwarded = context.forwarded === true || context.frequently_forwarded === true
  if (!ad && !product && !isForwarded) return null
  const address = textIn(ad, 'source_url')
  const headline = textIn(ad, 'headline') ?? t('ad.untitled')
  return (
    <div className="mb-1.5 text-sm text-ink-2">
      {isForwarded && <p className="text-xs italic">{t('forwarded')}</p>}
      {product && <p>{t('about', { code: product })}</p>}
      {ad && (
        <div className="border-s-2 border-note ps-2">
          <p className="text-xs text-ink-3">{t('ad')}</p>
          <p className="font-medium">
            {isWebAddress(address) ? <WebLink href={address}>{headline}</WebLink> : headline}
          </p>
          {textIn(ad, 'body') && <p className="line-clamp-3">{textIn(ad, 'body')}</p>}
        </div>
      )}
    </div>
  )
}

const SOURCES = ['chatwoot', 'whatsapp_export', 'history_file', 'phone_app'] as const

/** Marks a message that was imported from the past with the tool that it comes from. */
export function Imported({ from }: { from: string }) {
  const source = SOURCES.find((candidate) => candidate === from) ?? 'other'
  return (
    <span data-imported={source} className="flex items-center gap-1">
      <History aria-hidden size={12} className="shrink-0" />
      {t(`imported.${source}`)}
      <span aria-hidden>·</span>
    </span>
  )
}

/** Shows a message of the phone app's history with a file that the operator does not pass on. */
export const FileInPhone = () => <p className="text-ink-3">{t('file')}</p>

/** Shows a kind of message that the operator does not pass on, with the operator's reason if it gave one. */
export function Unsupported({ content, isOurs }: { content: Content; isOurs: boolean }) {
  const kind = textIn(content, 'type') ?? textIn(objectIn(content, 'unsupported'), 'type')
  const error = listIn(content, 'errors')[0]
  return (
    <>
      <p className="text-ink-2">
        {isOurs
          ? t('unsupported.ours')
          : inbox(kind ? 'bubble.unsupported.kind' : 'bubble.unsupported', { kind: kind ?? '' })}
      </p>
      {textIn(error, 'title') && <p className="text-xs text-ink-3">{textIn(error, 'title')}</p>}
    </>
  )
}
