/** The parts of a message made from a template, and of a card of its carousel: header, text, and buttons. */
import { Copy, ExternalLink, FileText, Image, type LucideIcon, Phone, Reply, Video } from 'lucide-react'
import type { ReactNode } from 'react'
import { Formatted } from '../../inbox/parts/kinds/text.tsx'
import { t } from '../texts.ts'
import { type Part, partOf } from './draft.ts'
import type { HeaderFile } from './header-file.ts'

type Button = NonNullable<Part['buttons']>[number]
/** Values of placeholders by part and name, such as `body-1`, `url-0`, and `coupon`. */
export type PreviewValues = Record<string, string>

const MEDIA: Record<string, LucideIcon> = { IMAGE: Image, VIDEO: Video, DOCUMENT: FileText }
const BUTTONS: Record<string, LucideIcon> = {
  QUICK_REPLY: Reply,
  URL: ExternalLink,
  PHONE_NUMBER: Phone,
  COPY_CODE: Copy,
  OTP: Copy,
}
const PLACEHOLDER = /(\{\{\s*\w+\s*\}\})/

const fillPlaceholders = (text: string, part: string, values: PreviewValues): string =>
  text
    .split(PLACEHOLDER)
    .map((piece, index) => (index % 2 === 1 && values[`${part}-${piece.replaceAll(/[{}\s]/g, '')}`]) || piece)
    .join('')

/** Returns a text with its unfilled placeholders highlighted. */
const highlight = (text: string): ReactNode =>
  text.split(PLACEHOLDER).map((piece, index) =>
    index % 2 === 0 ? (
      piece
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces have only their place as an identity
      <span key={index} className="rounded-sm bg-note-soft px-0.5 text-note">
        {piece}
      </span>
    ),
  )

/** Returns the code that a button copies, or the address it opens, once it is filled in. */
function buttonTarget({ type, url }: Button, index: number, values: PreviewValues): string | undefined {
  if (type?.toUpperCase() === 'COPY_CODE') return values.coupon
  const urlEnding = values[`url-${index}`]
  return urlEnding && url?.replace(PLACEHOLDER, () => urlEnding)
}

type HeaderFileProps = { format: string; file: HeaderFile | undefined; isCard: boolean | undefined }

/** Shows the file of a media header, or says that it appears there. */
function HeaderFileView({ format, file, isCard }: HeaderFileProps) {
  const Media = MEDIA[format]
  if (!Media) return null
  const frame = 'mb-2 max-h-48 w-full rounded-md bg-surface-3'
  if (file?.type.startsWith('image/'))
    return <img src={file.src} alt={t('preview.sample.IMAGE')} className={`${frame} object-cover`} />
  if (file?.type.startsWith('video/'))
    return (
      // biome-ignore lint/a11y/useMediaCaption: samples have no captions
      <video
        src={file.src}
        controls
        preload="metadata"
        aria-label={t('preview.sample.VIDEO')}
        className={frame}
      />
    )
  if (file)
    return (
      <a
        href={file.src}
        target="_blank"
        rel="noreferrer"
        className="mb-2 flex min-h-11 items-center gap-2 rounded-md bg-surface-3 px-3 py-2 font-medium hover:underline"
      >
        <Media aria-hidden size={20} className="shrink-0 text-ink-2" />
        {t('preview.sample.DOCUMENT')}
      </a>
    )
  return (
    <span className="mb-2 flex h-28 flex-col items-center justify-center gap-1.5 rounded-md bg-surface-3 px-3 text-center text-xs text-ink-2">
      <Media aria-hidden size={26} className="text-ink-3" />
      {t(`preview.${isCard ? 'card' : 'file'}.${format as 'IMAGE' | 'VIDEO' | 'DOCUMENT'}`)}
    </span>
  )
}

type MessageProps = {
  components: readonly Part[]
  values: PreviewValues
  file?: HeaderFile | undefined
  isCard?: boolean
}

/** Shows the header, the text, and the footer. */
export function MessageParts({ components, values, file, isCard }: MessageProps) {
  const [header, body, footer] = ['HEADER', 'BODY', 'FOOTER'].map((type) => partOf(components, type))
  const isCode = body !== undefined && body.text === undefined
  const text = isCode
    ? [t('preview.code'), ...(body.add_security_recommendation ? [t('preview.advice')] : [])].join(' ')
    : (body?.text ?? '')
  const foot = footer?.code_expiration_minutes
    ? t('preview.expires', { minutes: footer.code_expiration_minutes })
    : footer?.text
  return (
    <>
      {header?.format && <HeaderFileView format={header.format.toUpperCase()} file={file} isCard={isCard} />}
      {header?.text && (
        <p dir="auto" className="mb-1 font-semibold">
          {highlight(fillPlaceholders(header.text, 'header', values))}
        </p>
      )}
      {text ? (
        <Formatted text={fillPlaceholders(text, 'body', values)} showText={highlight} />
      ) : (
        !isCard && <p className="text-ink-3">{t('preview.empty')}</p>
      )}
      {foot && (
        <p dir="auto" className="mt-1.5 text-xs text-ink-3">
          {foot}
        </p>
      )}
    </>
  )
}

/** Shows the buttons below a text. */
export const PreviewButtons = ({ components, values }: Pick<MessageProps, 'components' | 'values'>) =>
  (partOf(components, 'BUTTONS')?.buttons ?? []).map((button, index) => {
    const Icon = BUTTONS[button.type ?? ''] ?? Reply
    const filling = buttonTarget(button, index, values)
    return (
      <div
        // biome-ignore lint/suspicious/noArrayIndexKey: buttons may be alike
        key={index}
        className="rounded-md bg-surface-1 px-2 py-2 text-center text-sm shadow-[0_0_0_1px_var(--color-line)]"
      >
        <p className="flex items-center justify-center gap-1.5 font-medium text-accent">
          <Icon aria-hidden size={14} />
          {button.text ||
            t(button.type === 'COPY_CODE' || button.type === 'OTP' ? 'preview.copy' : 'button.empty')}
        </p>
        {filling && <p className="text-xs break-words text-ink-2">{filling}</p>}
      </div>
    )
  })
