/** A panel with the history of a message. */
import { useQuery } from '@tanstack/react-query'
import { Drawer } from '../../kit/dialog.tsx'
import { Failed, SkeletonRows } from '../../kit/states.tsx'
import { traceQuery } from '../queries.ts'
import { t } from '../texts.ts'
import { History } from './history.tsx'
import { linesOf, type NameOf, waitingOf } from './lines.ts'

type Props = { id: string; open: boolean; onClose: () => void; nameOf?: NameOf | undefined }

const ownName: NameOf = ({ name }) => name ?? undefined

function Content({ id, nameOf = ownName }: Pick<Props, 'id' | 'nameOf'>) {
  const { data, error, isPending, refetch } = useQuery(traceQuery(id))
  if (isPending) return <SkeletonRows />
  if (!data) return <Failed error={error} onRetry={() => void refetch()} />
  return <History lines={linesOf(data, nameOf)} waiting={waitingOf(data)} />
}

export const MessageHistory = ({ id, open, onClose, nameOf }: Props) => (
  <Drawer open={open} onClose={onClose} title={t('why.message')}>
    <div className="p-4">{open && <Content id={id} nameOf={nameOf} />}</div>
  </Drawer>
)
