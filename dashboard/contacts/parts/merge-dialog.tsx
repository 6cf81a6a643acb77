import { useState } from 'react'
import type { Contact } from '../../../sdk/api.ts'
import { Badge } from '../../kit/badge.tsx'
import { Callout } from '../../kit/callout.tsx'
import { classes } from '../../kit/classes.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { DialogActions } from '../../kit/dialog-actions.tsx'
import { Fact } from '../../kit/facts.tsx'
import { Time } from '../../kit/time.tsx'
import { useStable } from '../../kit/use-stable.ts'
import { notifyError } from '../../shell/notify-error.ts'
import { mergeContacts } from '../queries.ts'
import { t } from '../texts.ts'
import type { Consent } from '../view.ts'
import { ConsentBadge, nameOf, numberOf } from './person.tsx'

type Pair = readonly [Contact, Contact]
type Props = {
  open: boolean
  onClose: () => void
  contacts: Pair | undefined
  onMerged: (merged: Contact) => void
}

/** From the least strict to the strictest. */
const STRICTNESS: readonly Consent[] = ['unknown', 'opted_in', 'opted_out']
const stricterConsent = (a: Consent, b: Consent): Consent =>
  STRICTNESS.indexOf(a) >= STRICTNESS.indexOf(b) ? a : b

/** Returns the contact that wrote last: the customer uses its number. */
const lastWriterId = ([a, b]: Pair): string => ((b.lastSeenAt ?? '') > (a.lastSeenAt ?? '') ? b.id : a.id)

const Tags = ({ tags }: { tags: readonly string[] }) =>
  tags.length === 0 ? (
    t('noValue')
  ) : (
    <span className="flex flex-wrap gap-1 py-1">
      {tags.map((tag) => (
        <Badge key={tag}>{tag}</Badge>
      ))}
    </span>
  )

type ChoiceProps = { contact: Contact; isKept: boolean; onKeep: () => void }

function Choice({ contact, isKept, onKeep }: ChoiceProps) {
  const name = nameOf(contact)
  return (
    <label
      className={classes(
        'block cursor-pointer rounded-md border p-3 has-focus-visible:outline-2 has-focus-visible:outline-accent',
        isKept ? 'border-accent bg-accent-soft' : 'border-line',
      )}
    >
      <span className="flex min-h-9 items-center gap-2">
        <input
          type="radio"
          name="kept"
          className="size-4 accent-(--accent)"
          aria-label={t('merge.keep.contact', { name, phone: numberOf(contact) })}
          checked={isKept}
          onChange={onKeep}
        />
        <span className="min-w-0 flex-1 truncate font-semibold">{name}</span>
        {contact.blocked && <Badge tone="bad">{t('blocked')}</Badge>}
      </span>
      <dl>
        <Fact label={t('field.phone')}>
          <span dir="ltr">{numberOf(contact)}</span>
        </Fact>
        <Fact label={t('field.consent')}>
          <ConsentBadge consent={contact.optInStatus} />
        </Fact>
        <Fact label={t('field.tags')}>
          <Tags tags={contact.tags} />
        </Fact>
        <Fact label={t('field.seen')}>
          {contact.lastSeenAt ? <Time at={contact.lastSeenAt} /> : t('noValue')}
        </Fact>
        <Fact label={t('field.since')}>
          <Time at={contact.createdAt} />
        </Fact>
      </dl>
    </label>
  )
}

function After({ keptContact, other }: { keptContact: Contact; other: Contact }) {
  const isHidden = numberOf(keptContact).startsWith('chan:') && !numberOf(other).startsWith('chan:')
  const [number, otherNumber] = isHidden
    ? [other, keptContact].map(numberOf)
    : [keptContact, other].map(numberOf)
  return (
    <section aria-label={t('merge.after')} className="mt-4">
      <h3 className="mb-1 font-semibold">{t('merge.after')}</h3>
      <dl>
        <Fact label={t('merge.after.name')}>
          {nameOf(keptContact.displayName ? keptContact : { ...keptContact, displayName: other.displayName })}
        </Fact>
        <Fact label={t('merge.after.number')}>
          <span dir="ltr">{number}</span>
        </Fact>
        <Fact label={t('merge.after.also')}>
          <span dir="ltr">{otherNumber}</span>
        </Fact>
        <Fact label={t('merge.after.consent')}>
          <ConsentBadge consent={stricterConsent(keptContact.optInStatus, other.optInStatus)} />
        </Fact>
        <Fact label={t('merge.after.tags')}>
          <Tags tags={[...new Set([...keptContact.tags, ...other.tags])]} />
        </Fact>
      </dl>
      <div className="mt-3">
        <Callout kind="warn">{t('merge.kept')}</Callout>
      </div>
    </section>
  )
}

/** Shows two contacts side by side before they are merged, and the values that are kept. */
export function MergeDialog({ open, onClose, contacts, onMerged }: Props) {
  const [chosen, setChosen] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const close = useStable(() => {
    setChosen(undefined)
    onClose()
  })
  if (!contacts) return <Dialog open={false} onClose={onClose} title={t('merge.title')} />
  const keptId = chosen ?? lastWriterId(contacts)
  const [keptContact, other] = contacts[0].id === keptId ? contacts : [contacts[1], contacts[0]]
  const merge = async () => {
    setBusy(true)
    try {
      const merged = await mergeContacts(keptContact.id, other.id)
      setChosen(undefined)
      onMerged(merged)
    } catch (error) {
      notifyError(error)
    }
    setBusy(false)
  }
  return (
    <Dialog
      open={open}
      onClose={close}
      wide
      title={t('merge.title')}
      description={t('merge.lead')}
      actions={
        <DialogActions onCancel={close} busy={isBusy} onClick={() => void merge()}>
          {t('merge.action')}
        </DialogActions>
      }
    >
      <fieldset>
        <legend className="mb-2 text-sm text-ink-3">{t('merge.keep')}</legend>
        <div className="grid gap-3 sm:grid-cols-2">
          {contacts.map((contact) => (
            <Choice
              key={contact.id}
              contact={contact}
              isKept={contact.id === keptId}
              onKeep={() => setChosen(contact.id)}
            />
          ))}
        </div>
      </fieldset>
      <After keptContact={keptContact} other={other} />
    </Dialog>
  )
}
