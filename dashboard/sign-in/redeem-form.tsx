/**
 * Shows the purpose of a link with its form: create an account, join a workspace, set a new password, or
 * confirm an email address.
 */
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useForm } from 'react-hook-form'
import type { DashboardApi } from '../../sdk/api.ts'
import { messageOf } from '../api/errors.ts'
import { showIssues } from '../api/form.ts'
import { callDashboard } from '../api/request.ts'
import { Button } from '../kit/button.tsx'
import { Callout, FormFault } from '../kit/callout.tsx'
import { TextField } from '../kit/field.tsx'
import { SkeletonRows } from '../kit/states.tsx'
import { Card, type Outcome } from './parts/card.tsx'
import { t } from './texts.ts'

type Link = DashboardApi['POST /sign-in/token']['reply']
type Values = { name: string; password: string }
type FormProps = {
  token: string
  link: Link
  onOutcome: (outcome: Outcome, link: Link) => void
  /** For an invited person with an account. */
  onSignIn: () => void
}

/** Returns the title, text, and action of each kind of link. */
function textsOf({ purpose, account, workspace, name, email }: Link) {
  const values = { workspace: workspace ?? '', name, email: email ?? '' }
  if (purpose === 'reset')
    return {
      title: t('reset.choose'),
      text: t('reset.choose.text', values),
      submit: t('reset.choose.submit'),
    }
  if (purpose === 'email')
    return { title: t('email.title'), text: t('email.text', values), submit: t('email.submit') }
  const title = t('invited.title', values)
  return account === 'own'
    ? { title, text: t('invited.own', values), submit: t('invited.join') }
    : { title, text: t('invited.new', values), submit: t('invited.submit') }
}

/** Requires a click: a program that only opens mailed links does not use them up. */
function LinkForm({ token, link, onOutcome, onSignIn }: FormProps) {
  const isNew = link.purpose === 'invitation' && link.account === 'new'
  const { register, handleSubmit, setError, formState } = useForm<Values>({
    defaultValues: { name: link.name, password: '' },
  })
  const { errors, isSubmitting } = formState
  const asksPassword = isNew || link.purpose === 'reset'
  const submit = handleSubmit(async ({ name, password }) => {
    try {
      const body = { token, ...(isNew && name ? { name } : {}), ...(asksPassword ? { password } : {}) }
      onOutcome(await callDashboard('POST /sign-in/redeem', { body }), link)
    } catch (error) {
      showIssues(error, ['name', 'password'], setError)
    }
  })
  const texts = textsOf(link)
  return (
    <Card title={texts.title} text={texts.text}>
      <form onSubmit={submit} noValidate className="flex flex-col gap-4">
        <FormFault fault={errors.root} />
        {isNew && (
          <TextField
            label={t('redeem.name')}
            hint={t('redeem.name.hint')}
            autoComplete="name"
            autoFocus
            error={errors.name?.message}
            {...register('name')}
          />
        )}
        {asksPassword && (
          <>
            <input type="text" autoComplete="username" value={link.email ?? ''} readOnly hidden />
            <TextField
              label={t(isNew ? 'redeem.password.own' : 'redeem.password')}
              hint={t('redeem.password.hint')}
              type="password"
              autoComplete="new-password"
              autoFocus={!isNew}
              error={errors.password?.message}
              {...register('password', { required: t('redeem.password.missing') })}
            />
          </>
        )}
        <Button type="submit" variant="primary" busy={isSubmitting}>
          {texts.submit}
        </Button>
        {isNew && (
          <Button variant="ghost" onClick={onSignIn}>
            {t('invited.signIn')}
          </Button>
        )}
      </form>
    </Card>
  )
}

type Props = {
  token: string
  onOutcome: (outcome: Outcome, link: Link) => void
  /** Returns the sign-in form for an invited person with an account, who must sign in first. */
  signIn: (text: string) => ReactNode
  takesPasswords: boolean
}

export function RedeemForm({ token, onOutcome, signIn, takesPasswords }: Props) {
  const [isSigningIn, setSigningIn] = useState(false)
  const { data: link, error } = useQuery({
    queryKey: ['sign-in-token', token],
    queryFn: () => callDashboard('POST /sign-in/token', { body: { token } }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (error)
    return (
      <Card title={t('link.gone')}>
        <Callout kind="bad" role="alert">
          {messageOf(error)}
        </Callout>
        <a href="sign-in" className="mt-4 inline-block font-medium text-accent underline">
          {t('link.signIn')}
        </a>
      </Card>
    )
  if (!link)
    return (
      <Card title={t('link.reading')}>
        <SkeletonRows rows={2} />
      </Card>
    )
  const values = { workspace: link.workspace ?? '', email: link.email ?? '' }
  if (link.purpose === 'invitation' && link.account === 'known') return signIn(t('invited.known', values))
  if (link.purpose === 'invitation' && link.account === 'new' && (isSigningIn || !takesPasswords))
    return signIn(t('invited.signIn.text', values))
  return <LinkForm token={token} link={link} onOutcome={onOutcome} onSignIn={() => setSigningIn(true)} />
}
