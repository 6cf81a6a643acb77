/** Edits a location: typed, pasted as a map link, or the place of this device. */
import { LocateFixed } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../kit/button.tsx'
import { TextField } from '../../../kit/field.tsx'
import { Counted } from './counted.tsx'
import { isShortLink, type Place, placeIn } from './map-link.ts'
import type { LocationPart } from './part-shape.ts'
import { LIMITS } from './parts.ts'
import type { FieldsProps } from './replies-fields.tsx'
import { t } from './texts.ts'

/** The time that a device has to find its place. */
const LOCATE_MS = 15_000
/** About 10 cm; devices report more digits than they know. */
const DIGITS = 6

const REASONS: Record<number, 'denied' | 'unavailable' | 'timeout'> = {
  1: 'denied',
  2: 'unavailable',
  3: 'timeout',
}

/** Asks the device for its place. */
function useDevicePlace(onPlace: (place: Place) => void) {
  const [state, setState] = useState<'idle' | 'busy' | 'insecure' | 'denied' | 'unavailable' | 'timeout'>(
    'idle',
  )
  const locate = () => {
    if (!globalThis.isSecureContext) return setState('insecure')
    setState('busy')
    navigator.geolocation.getCurrentPosition(
      ({ coords: { latitude, longitude } }) => {
        setState('idle')
        onPlace({
          latitude: String(Number(latitude.toFixed(DIGITS))),
          longitude: String(Number(longitude.toFixed(DIGITS))),
        })
      },
      ({ code }) => setState(REASONS[code] ?? 'unavailable'),
      { enableHighAccuracy: true, timeout: LOCATE_MS },
    )
  }
  return { locate, state }
}

export function LocationFields({ values, onChange, faults, isTried }: FieldsProps<LocationPart>) {
  const [link, setLink] = useState('')
  const place = placeIn(link)
  const set = ({ latitude, longitude, name }: Place) =>
    onChange({ ...values, latitude, longitude, ...(name && !values.name.trim() && { name }) })
  const { locate, state } = useDevicePlace(set)
  const isUnread = link.trim() !== '' && !place
  const field = (name: keyof LocationPart) => ({
    value: values[name],
    fault: faults[name],
    isTried,
    onChange: (text: string) => onChange({ ...values, [name]: text }),
  })
  return (
    <>
      <TextField
        label={t('part.link')}
        hint={t(place ? 'part.link.read' : 'part.link.hint')}
        error={isUnread ? t(isShortLink(link) ? 'part.link.short' : 'part.link.unread') : undefined}
        autoFocus
        dir="ltr"
        value={link}
        onChange={(event) => {
          const text = (event.target as HTMLInputElement).value
          setLink(text)
          const found = placeIn(text)
          if (found) set(found)
        }}
      />
      <div className="flex flex-col gap-1">
        <Button icon={LocateFixed} busy={state === 'busy'} className="self-start" onClick={locate}>
          {t('part.locate')}
        </Button>
        {state !== 'idle' && state !== 'busy' && (
          <p role="alert" className="text-sm text-bad">
            {t(`part.locate.${state}`)}
          </p>
        )}
      </div>
      <div className="grid gap-3 sm:grid-cols-2">
        <Counted label={t('part.latitude')} inputMode="decimal" {...field('latitude')} />
        <Counted label={t('part.longitude')} inputMode="decimal" {...field('longitude')} />
      </div>
      <Counted label={t('part.place.name')} max={LIMITS.location.name} {...field('name')} />
      <Counted label={t('part.place.address')} max={LIMITS.location.address} {...field('address')} />
    </>
  )
}
