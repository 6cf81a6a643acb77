import type { PhoneNumber } from '../../../sdk/api.ts'
import { callDashboard } from '../../api/request.ts'
import { TextField } from '../../kit/field.tsx'
import { t } from '../texts.ts'
import { EntryDialog } from './entry-dialog.tsx'

type Values = { token: string; appSecret: string }

/** Replaces the token, and the app secret if it changed: connects a disconnected number again. */
export const ReplaceToken = ({ number, onClose }: { number: PhoneNumber; onClose: () => void }) => (
  <EntryDialog<Values>
    title={t('numbers.token')}
    values={{ token: '', appSecret: '' }}
    names={['token', 'appSecret']}
    save={({ token, appSecret }) =>
      callDashboard('PATCH /numbers/{id}', {
        params: { id: number.id },
        body: { token, ...(appSecret ? { appSecret } : {}) },
      })
    }
    saved={t('numbers.token.saved')}
    reads={['number']}
    onClose={onClose}
  >
    {({ register, formState: { errors } }) => (
      <>
        <TextField
          label={t('connect.field.token')}
          type="password"
          autoComplete="off"
          autoFocus
          error={errors.token?.message}
          {...register('token')}
        />
        <TextField
          label={t('connect.field.appSecret')}
          hint={t('numbers.appSecret.hint')}
          type="password"
          autoComplete="off"
          error={errors.appSecret?.message}
          {...register('appSecret')}
        />
      </>
    )}
  </EntryDialog>
)
