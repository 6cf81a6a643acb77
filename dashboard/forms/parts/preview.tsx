/** Shows the screens of a form as a phone shows them. */
import { Calendar, ChevronDown } from 'lucide-react'
import { classes } from '../../kit/classes.ts'
import { t } from '../texts.ts'
import { type DraftField, type DraftScreen, hasOptions, optionsOf } from './draft.ts'

const BOX = 'rounded-md border border-edge bg-surface-1 px-2.5 py-2 text-sm text-ink-3'

function Control({ field }: { field: DraftField }) {
  const label = `${field.label || t(`kind.${field.kind}`)}${field.isRequired ? ' *' : ''}`
  if (field.kind === 'consent')
    return (
      <p className="flex items-start gap-2 text-sm">
        <span className="mt-0.5 size-4 shrink-0 rounded-sm border border-edge bg-surface-1" />
        <span dir="auto" className="min-w-0 break-words">
          {label}
        </span>
      </p>
    )
  const isList = hasOptions(field.kind) && field.kind !== 'dropdown'
  return (
    <div>
      <p dir="auto" className="mb-1 text-sm font-medium break-words">
        {label}
      </p>
      {isList ? (
        <ul className="flex flex-col gap-1.5">
          {optionsOf(field).map((option) => (
            <li key={option} className="flex items-center gap-2 text-sm">
              <span
                className={classes(
                  'size-4 shrink-0 border border-edge bg-surface-1',
                  field.kind === 'choice' ? 'rounded-full' : 'rounded-sm',
                )}
              />
              <span dir="auto" className="min-w-0 break-words">
                {option}
              </span>
            </li>
          ))}
        </ul>
      ) : (
        <p
          className={classes(
            BOX,
            'flex min-h-9 items-center justify-between gap-2',
            field.kind === 'paragraph' && 'min-h-16',
          )}
        >
          {field.kind === 'date' ? t('preview.date') : field.kind === 'dropdown' ? t('preview.choose') : ' '}
          {field.kind === 'date' && <Calendar aria-hidden size={14} />}
          {field.kind === 'dropdown' && <ChevronDown aria-hidden size={14} />}
        </p>
      )}
      {field.help.trim() !== '' && !hasOptions(field.kind) && (
        <p dir="auto" className="mt-1 text-xs text-ink-3 break-words">
          {field.help}
        </p>
      )}
    </div>
  )
}

type ScreenProps = {
  screen: DraftScreen
  label: string
  number: number
  count: number
  /** Shows the next screen; left out if all screens are shown. */
  onNext?: () => void
}

const BUTTON = 'min-h-11 w-full rounded-full bg-good px-4 font-medium break-words text-surface-1'

/** One screen on a phone. */
export function PhoneScreen({ screen, label, number, count, onNext }: ScreenProps) {
  const button = screen.button || t('screen.button')
  return (
    <section
      aria-label={label}
      className="mx-auto flex w-full max-w-80 flex-col rounded-[28px] border-4 border-surface-4 bg-surface-2"
    >
      <p dir="auto" className="truncate border-b px-4 py-3 text-center font-semibold">
        {screen.title || t('screen.title')}
      </p>
      <div className="flex min-h-72 flex-1 flex-col gap-4 p-4">
        {screen.text.trim() !== '' && (
          <p dir="auto" className="text-sm break-words whitespace-pre-wrap">
            {screen.text}
          </p>
        )}
        {screen.fields.map((field) => (
          <Control key={field.key} field={field} />
        ))}
      </div>
      <div className="p-4 pb-6">
        {onNext ? (
          <button type="button" onClick={onNext} className={BUTTON}>
            {button}
          </button>
        ) : (
          <p dir="auto" className={classes(BUTTON, 'flex items-center justify-center')}>
            {button}
          </p>
        )}
        {count > 1 && (
          <p className="mt-2 text-center text-xs text-ink-3">{t('preview.place', { number, count })}</p>
        )}
      </div>
    </section>
  )
}

type Props = {
  screens: readonly DraftScreen[]
  /** The shown screen. */
  index: number
  onIndex: (index: number) => void
}

/** Shows one screen; its button leads to the next. */
export function FormPreview({ screens, index: chosen, onIndex }: Props) {
  const index = Math.min(chosen, screens.length - 1)
  const screen = screens[index]
  if (!screen) return null
  return (
    <PhoneScreen
      screen={screen}
      label={t('preview')}
      number={index + 1}
      count={screens.length}
      onNext={() => onIndex((index + 1) % screens.length)}
    />
  )
}

/** Shows all screens next to each other. */
export const AllScreens = ({ screens }: { screens: readonly DraftScreen[] }) => (
  <ol className="grid grid-cols-[repeat(auto-fill,minmax(min(16rem,100%),1fr))] items-stretch gap-5">
    {screens.map((screen, i) => (
      <li key={screen.key} className="flex">
        <PhoneScreen
          screen={screen}
          label={t('screen', { number: i + 1 })}
          number={i + 1}
          count={screens.length}
        />
      </li>
    ))}
  </ol>
)
