/** Chooses a time zone from a list with a search. The zone of this device is first. */
import { Check } from 'lucide-react'
import { type Ref, useMemo, useState } from 'react'
import { ChoiceField } from '../../kit/choice-field.tsx'
import { Finder, type Found } from '../../kit/finder.tsx'
import { workspaceNow } from '../../kit/time.tsx'
import { useStable } from '../../kit/use-stable.ts'
import { t } from '../texts.ts'
import { deviceZone, listZones, offsetOf, titleOfZone } from './zones.ts'

type Props = {
  label: string
  hint?: string
  error?: string | undefined
  value: string
  onChange: (zone: string) => void
  onBlur?: () => void
  ref?: Ref<HTMLButtonElement>
  className?: string
}

export function ZoneField({ value, onChange, label, ...field }: Props) {
  const [isOpen, setOpen] = useState(false)
  const offset = useMemo(() => offsetOf(value, workspaceNow()), [value])
  return (
    <>
      <ChoiceField label={label} isOpen={isOpen} onOpen={() => setOpen(true)} {...field}>
        <span className="min-w-0 flex-1 truncate">{titleOfZone(value) || t('timezone.choose')}</span>
        <bdi className="shrink-0 text-sm text-ink-3">{offset}</bdi>
      </ChoiceField>
      <ZoneFinder
        isOpen={isOpen}
        label={label}
        value={value}
        onChange={onChange}
        onClose={() => setOpen(false)}
      />
    </>
  )
}

type FinderProps = Pick<Props, 'label' | 'value' | 'onChange'> & { isOpen: boolean; onClose: () => void }

function ZoneFinder({ isOpen, label, value, onChange, onClose }: FinderProps) {
  const choose = useStable(onChange)
  // The offsets of all zones take a moment to compute: they are read when the list opens.
  const groups = useMemo(() => {
    if (!isOpen) return []
    const own = deviceZone()
    const now = workspaceNow()
    const itemOf = (zone: string): Found => {
      const offset = offsetOf(zone, now)
      return {
        id: zone,
        title: titleOfZone(zone),
        aside: <bdi>{offset}</bdi>,
        words: `${zone} ${offset}`,
        ...(zone === value && { icon: Check }),
        run: () => choose(zone),
      }
    }
    return [
      { value: t('timezone.device'), items: [itemOf(own)] },
      {
        value: t('timezone.others'),
        items: listZones([own, value])
          .filter((zone) => zone !== own)
          .map(itemOf),
      },
    ]
  }, [isOpen, value, choose])
  return (
    <Finder
      open={isOpen}
      onClose={onClose}
      title={label}
      placeholder={t('timezone.find')}
      empty={t('timezone.none')}
      groups={groups}
    />
  )
}
