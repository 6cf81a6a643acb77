import { routes } from '../../../core/endpoint.ts'
import {
  deleteAccountPasskey,
  deleteAccountTotp,
  patchAccount,
  postAccountPasskey,
  postAccountRecoveryCodes,
  postAccountTotp,
  postSessionConfirm,
} from './endpoints/account.ts'
import { postAppConnection, postAppRequest } from './endpoints/apps.ts'
import { deleteKey, getKeys, postKey } from './endpoints/keys.ts'
import { deleteMember, getMembers, patchMember, postMember } from './endpoints/members.ts'
import { getModules, patchModules } from './endpoints/modules.ts'
import {
  deleteNumberSignup,
  getNumberSignup,
  getNumberSignups,
  postNumberSignup,
  postNumberSignupContinue,
} from './endpoints/number-signups.ts'
import { deleteNumber, patchNumber, postNumber, postNumberCheck } from './endpoints/numbers.ts'
import {
  getPreferences,
  getSecurity,
  getSignIns,
  patchPreferences,
  patchSecurity,
} from './endpoints/security.ts'
import { deleteOneSession, deleteSession, getSession, getSessions } from './endpoints/session.ts'
import {
  getSignInOptions,
  postSignIn,
  postSignInPasskey,
  postSignInPasskeyOptions,
  postSignInRedeem,
  postSignInReset,
  postSignInToken,
  postSignInTotp,
} from './endpoints/sign-in.ts'
import {
  getUsage,
  getWorkspace,
  patchWorkspace,
  postCaptureToken,
  postWorkspace,
} from './endpoints/workspace.ts'
import { accessRetentionSource } from './work/access-retention-source.ts'
import { accountMailsSource } from './work/account-mails-source.ts'

export const access = {
  dashboard: routes({
    'GET /session': getSession,
    'DELETE /session': deleteSession,
    'GET /sessions': getSessions,
    'DELETE /sessions/:id': deleteOneSession,
    'POST /session/confirm': postSessionConfirm,
    'GET /sign-in/options': getSignInOptions,
    'POST /sign-in': postSignIn,
    'POST /sign-in/totp': postSignInTotp,
    'POST /sign-in/passkey/options': postSignInPasskeyOptions,
    'POST /sign-in/passkey': postSignInPasskey,
    'POST /sign-in/reset': postSignInReset,
    'POST /sign-in/token': postSignInToken,
    'POST /sign-in/redeem': postSignInRedeem,
    'PATCH /account': patchAccount,
    'POST /account/totp': postAccountTotp,
    'DELETE /account/totp': deleteAccountTotp,
    'POST /account/recovery-codes': postAccountRecoveryCodes,
    'POST /account/passkeys': postAccountPasskey,
    'DELETE /account/passkeys/:id': deleteAccountPasskey,
    'GET /preferences': getPreferences,
    'PATCH /preferences': patchPreferences,
    'GET /workspace': getWorkspace,
    'PATCH /workspace': patchWorkspace,
    'GET /modules': getModules,
    'PATCH /modules': patchModules,
    'GET /usage': getUsage,
    'POST /workspace/capture-token': postCaptureToken,
    'POST /workspaces': postWorkspace,
    'GET /members': getMembers,
    'POST /members': postMember,
    'PATCH /members/:id': patchMember,
    'DELETE /members/:id': deleteMember,
    'GET /keys': getKeys,
    'POST /keys': postKey,
    'DELETE /keys/:id': deleteKey,
    'POST /app-requests': postAppRequest,
    'POST /app-connections': postAppConnection,
    'POST /numbers': postNumber,
    'PATCH /numbers/:id': patchNumber,
    'DELETE /numbers/:id': deleteNumber,
    'POST /numbers/:id/check': postNumberCheck,
    'GET /number-signups': getNumberSignups,
    'POST /number-signups': postNumberSignup,
    'GET /number-signups/:id': getNumberSignup,
    'POST /number-signups/:id/continue': postNumberSignupContinue,
    'DELETE /number-signups/:id': deleteNumberSignup,
    'GET /security': getSecurity,
    'PATCH /security': patchSecurity,
    'GET /sign-ins': getSignIns,
  }),
  sources: {
    'account-mails': accountMailsSource,
    'access-retention': accessRetentionSource,
  },
}
