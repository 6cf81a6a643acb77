/** Tests the stored connection with a harmless call, and says in words what is wrong. */
import { useMutation } from '@tanstack/react-query'
import { PlugZap } from 'lucide-react'
import { messageOf } from '../../api/errors.ts'
import { Button } from '../../kit/button.tsx'
import { Callout } from '../../kit/callout.tsx'
import { type Name, testConnection } from '../queries.ts'
import { t } from '../texts.ts'

export function TestConnection({ name, workspace }: { name: Name; workspace: string }) {
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => testConnection(workspace, name),
  })
  const problem = error ? messageOf(error) : data?.problem
  return (
    <>
      <Button icon={PlugZap} busy={isPending} onClick={() => mutate()}>
        {t('test')}
      </Button>
      <div role="status" className="max-w-2xl basis-full empty:hidden">
        {isPending ? null : problem ? (
          <Callout kind="bad">{t('test.failed', { problem })}</Callout>
        ) : data?.ok ? (
          <Callout kind="good">{t('test.done')}</Callout>
        ) : null}
      </div>
    </>
  )
}
