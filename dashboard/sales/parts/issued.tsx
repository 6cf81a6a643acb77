/** Shows an issued document with its earlier versions and its actions. */
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import {
  Ban,
  Check,
  Download,
  ExternalLink,
  FileOutput,
  Link2,
  MoreVertical,
  Pencil,
  Send,
  Wallet,
  X,
} from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button, IconButton } from '../../kit/button.tsx'
import { Callout } from '../../kit/callout.tsx'
import { Confirm } from '../../kit/dialog.tsx'
import { Fact } from '../../kit/facts.tsx'
import { lazyComponent } from '../../kit/lazy.tsx'
import { Menu, type MenuEntry } from '../../kit/menu.tsx'
import { Section } from '../../kit/page.tsx'
import { Select } from '../../kit/select.tsx'
import { formatFull } from '../../kit/time.tsx'
import { useCommands } from '../../shell/commands-store.ts'
import { DOCUMENT_COMMANDS } from '../commands.ts'
import { isInvoice, type SalesDocument, versionQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { formatDate } from './dates.ts'
import { DocumentFrame } from './document-frame.tsx'
import { DocumentLines } from './document-lines.tsx'
import type { DocumentPageContext } from './document-page.tsx'
import { formatMinor } from './money.ts'
import { Payments } from './payments.tsx'
import { placeName, stateName } from './places.ts'
import { ReasonDialog } from './reason-dialog.tsx'
import { customerOf, kindOf, nameOf, StatusBadge } from './status.tsx'
import { Totals } from './totals.tsx'
import { canConvert, canPay, isClosed, useDocumentActions } from './use-document-actions.ts'
import { usePdf } from './use-pdf.ts'

const SendDocument = lazyComponent(() => import('./send-document.tsx').then((module) => module.SendDocument))
const RecordPayment = lazyComponent(() =>
  import('./record-payment.tsx').then((module) => module.RecordPayment),
)

function Facts({ document }: { document: SalesDocument }) {
  const { customer } = document
  const address = customer.billingAddress
  const facts: [label: string, value: string | null | undefined][] = [
    [t('field.phone'), customer.phone],
    [t('field.email'), customer.email],
    [t('field.gstin'), customer.gstin],
    [
      t('field.line1'),
      address &&
        [address.line1, address.line2, address.city, stateName(address.state), address.postalCode]
          .filter(Boolean)
          .join(', '),
    ],
    [t('field.placeOfSupply'), placeName(document.placeOfSupply)],
    [t('field.issueDate'), document.issueDate && formatDate(document.issueDate)],
    [t('field.dueDate'), isInvoice(document) && document.dueDate ? formatDate(document.dueDate) : null],
    [t('field.validUntil'), document.validUntil && formatDate(document.validUntil)],
    [t('field.reference'), document.reference],
    [t('sent.at'), document.sentAt && formatFull(document.sentAt)],
    [t('field.notes'), document.notes],
    [t('field.terms'), document.terms],
    [t('cancelled.at'), document.cancelledAt && formatFull(document.cancelledAt)],
    [t('cancelled.reason'), document.cancelReason],
    [t('declined.reason'), isInvoice(document) ? null : document.declineReason],
  ]
  return (
    <dl>
      {facts
        .filter(([, value]) => value)
        .map(([label, value]) => (
          <Fact key={label} label={label}>
            <span dir="auto" className="break-words whitespace-pre-wrap">
              {value}
            </span>
          </Fact>
        ))}
    </dl>
  )
}

const LINK = 'text-accent underline underline-offset-2'

/** Shows the documents it was created from, and those created from it. */
function Relations({ document }: { document: SalesDocument }) {
  const { workspace } = useParams({ strict: false }) as { workspace: string }
  const link = (noun: string, id: string, text: string): ReactNode => (
    <li key={id}>
      <Link to={`/w/${workspace}/${noun}/${id}` as string} className={LINK}>
        {text}
      </Link>
    </li>
  )
  const { fromQuotation, fromProforma, bookingId } = isInvoice(document) ? document : {}
  const links = [
    fromQuotation &&
      link('quotations', fromQuotation.id, t('from.quotation', { number: fromQuotation.number })),
    fromProforma &&
      link(
        'invoices',
        fromProforma.id,
        // Only the receipt of an advance belongs to a booking.
        t(isInvoice(document) && document.bookingId ? 'from.voucher' : 'from.proforma', {
          number: fromProforma.number,
        }),
      ),
    document.invoiceId && link('invoices', document.invoiceId, t('became')),
    bookingId && (
      <li key={bookingId}>
        <Link
          to={`/w/${workspace}/bookings` as string}
          search={{ booking: bookingId } as never}
          className={LINK}
        >
          {t('from.booking')}
        </Link>
      </li>
    ),
  ].filter(Boolean)
  return links.length > 0 && <ul className="mb-4 flex flex-wrap gap-x-4 gap-y-1">{links}</ul>
}

type Props = DocumentPageContext & { onRevise: () => void }

export function Issued(context: Props) {
  const { document: current, noun, onBack, mayWrite, isAdmin, onRevise } = context
  const [version, setVersion] = useState<number>()
  const isOld = version !== undefined && version !== current.version
  const { data: old } = useQuery({ ...versionQuery(noun, current.id, version ?? 0), enabled: isOld })
  const document = isOld ? (old ?? current) : current
  const [isPaying, setPaying] = useState(false)
  const [isSending, setSending] = useState(false)
  const pdf = usePdf(noun, current)
  const [dialog, setDialog] = useState<'cancel' | 'decline' | 'link'>()
  const closeDialog = () => setDialog(undefined)
  const { accept, decline, cancel, convert, renew } = useDocumentActions(context, closeDialog)
  const mayPay = mayWrite && canPay(current) && !isOld
  const mayRevise = isAdmin && !isClosed(current) && !isOld
  useCommands(
    DOCUMENT_COMMANDS,
    {
      goBack: onBack,
      recordPayment: mayPay ? () => setPaying(true) : undefined,
      revise: mayRevise ? onRevise : undefined,
    },
    { title: t },
  )
  const isAnswerable = mayWrite && !isInvoice(current) && current.status === 'issued' && !isOld
  const mayConvert = mayWrite && canConvert(current) && !isOld
  const { url } = current
  const maySend = mayWrite && current.status !== 'draft' && url !== null && !isOld
  const entries: MenuEntry[] = [
    { label: t('pdf'), icon: Download, onSelect: () => pdf.mutate(version) },
    ...(url === null
      ? []
      : [
          {
            label: t('page.open'),
            icon: ExternalLink,
            onSelect: () => void window.open(url, '_blank', 'noopener'),
          },
        ]),
    ...(url !== null && isAdmin && !isOld
      ? [{ label: t('link.renew'), icon: Link2, onSelect: () => setDialog('link') }]
      : []),
    ...(mayConvert && !isInvoice(current)
      ? [{ label: t('convert.proforma'), icon: FileOutput, onSelect: () => convert.mutate('proforma') }]
      : []),
    ...(isAnswerable ? [{ label: t('decline'), icon: X, onSelect: () => setDialog('decline') }] : []),
    ...(mayRevise ? [{ label: t('revise'), icon: Pencil, keys: 'e', onSelect: onRevise }] : []),
    ...(mayRevise
      ? ([
          'line',
          { label: t('canceling'), icon: Ban, danger: true, onSelect: () => setDialog('cancel') },
        ] as const)
      : []),
  ]
  return (
    <DocumentFrame
      title={nameOf(document)}
      aside={
        <>
          <StatusBadge document={document} />
          <span className="text-ink-2">{kindOf(document)}</span>
        </>
      }
      onBack={onBack}
      actions={
        <>
          {isAnswerable && (
            <Button variant="primary" icon={Check} busy={accept.isPending} onClick={() => accept.mutate()}>
              {t('accept')}
            </Button>
          )}
          {mayPay && (
            <Button variant="primary" icon={Wallet} keys="p" onClick={() => setPaying(true)}>
              {t('payment.title')}
            </Button>
          )}
          {maySend && (
            <Button icon={Send} onClick={() => setSending(true)}>
              {t('send')}
            </Button>
          )}
          {mayConvert && (
            <Button icon={FileOutput} busy={convert.isPending} onClick={() => convert.mutate('invoice')}>
              {t('convert.invoice')}
            </Button>
          )}
          {entries.length > 0 && (
            <Menu
              align="end"
              trigger={<IconButton icon={MoreVertical} label={t('more.actions')} />}
              entries={entries}
            />
          )}
        </>
      }
    >
      {isOld && (
        <div className="mb-4">
          <Callout kind="warn">{t('version.old', { version: version!, now: current.version })}</Callout>
        </div>
      )}
      <Relations document={current} />
      <div className="grid gap-x-10 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="min-w-0">
          <Section title={t('lines')}>
            <DocumentLines document={document} />
            <div className="mt-4 flex justify-end">
              <Totals sums={document} label={t('total.total')} />
            </div>
          </Section>
          {isInvoice(current) && !isOld && (
            <Section
              title={t('payments')}
              description={t('payments.open', {
                balance: formatMinor(current.balanceMinor, current.currency),
              })}
            >
              <Payments invoice={current} isAdmin={isAdmin} />
            </Section>
          )}
        </div>
        <div className="min-w-0">
          <Section
            title={customerOf(document)}
            actions={
              current.version > 1 && (
                <Select
                  name={t('version.choose')}
                  quiet
                  value={String(version ?? current.version)}
                  onChange={(next) => setVersion(Number(next))}
                  choices={Array.from({ length: current.version }, (_, i) => String(current.version - i)).map(
                    (value) => ({ value, label: t('version', { version: Number(value) }) }),
                  )}
                />
              )
            }
          >
            <Facts document={document} />
          </Section>
        </div>
      </div>
      {isSending && <SendDocument document={current} noun={noun} onClose={() => setSending(false)} />}
      {isPaying && isInvoice(current) && <RecordPayment invoice={current} onClose={() => setPaying(false)} />}
      <Confirm
        open={dialog === 'link'}
        onClose={closeDialog}
        title={t('link.renew.title')}
        description={t('link.renew.text', { number: nameOf(current) })}
        action={t('link.renew')}
        onConfirm={() => renew.mutate()}
        busy={renew.isPending}
        danger
      />
      {dialog && dialog !== 'link' && (
        <ReasonDialog
          title={t(`${dialog}.title`, { number: nameOf(current) })}
          description={t(`${dialog}.text`)}
          action={t(dialog === 'cancel' ? 'canceling' : 'decline')}
          isOptional={dialog === 'decline'}
          busy={cancel.isPending || decline.isPending}
          onClose={closeDialog}
          onConfirm={(reason) => (dialog === 'cancel' ? cancel : decline).mutate(reason)}
        />
      )}
    </DocumentFrame>
  )
}
