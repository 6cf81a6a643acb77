import { MapPin } from 'lucide-react'
import { t } from '../../texts.ts'
import { type Content, isWebAddress, textIn } from './content.ts'

/** Shows a place, with a link to a map. */
export function Location({ content }: { content: Content }) {
  const { latitude, longitude } = content as { latitude: number; longitude: number }
  const place = textIn(content, 'url')
  return (
    <a
      href={
        isWebAddress(place)
          ? place
          : `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`
      }
      target="_blank"
      rel="noreferrer noopener"
      className="flex items-start gap-2"
    >
      <MapPin aria-hidden size={18} className="mt-px shrink-0 text-bad" />
      <span>
        <span className="block font-medium">{textIn(content, 'name') ?? t('bubble.location')}</span>
        <span className="block text-sm text-ink-2">
          {textIn(content, 'address') ?? `${latitude}, ${longitude}`}
        </span>
        <span className="text-sm text-accent underline">{t('bubble.map')}</span>
      </span>
    </a>
  )
}
