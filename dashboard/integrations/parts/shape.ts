/** Converts settings between the form and the API. */
import type { Integration } from '../../../sdk/api.ts'
import { parseOptionalNumber } from '../../api/form.ts'
import type { Name, SettingsInput } from '../queries.ts'
import { t } from '../texts.ts'

export type Cod = {
  enabled: boolean
  templateId: string | null
  delayMinutes: string
  remindAfterMinutes: string
  expireHours: string
  tagStore: boolean
}
/** The text fields by name, and the settings common to all shops. */
export type Values = {
  settings: {
    line: Record<string, string>
    forAgents: boolean
    country: string
    createLeads: boolean
    cod: Cod
  }
}

/** A text field of an integration. */
export type Line = {
  name: string
  label: string
  hint?: string
  secret?: true
  /** Without this field, the connection can't be checked. */
  needed?: true
}

/** The fields of each integration, in the order of the other system's pages. */
export const LINES: Record<Name, readonly Line[]> = {
  shopify: [
    { name: 'shop', label: t('shopify.shop'), hint: t('shopify.shop.hint'), needed: true },
    {
      name: 'accessToken',
      label: t('shopify.accessToken'),
      hint: t('shopify.accessToken.hint'),
      secret: true,
      needed: true,
    },
    {
      name: 'apiSecret',
      label: t('shopify.apiSecret'),
      hint: t('shopify.apiSecret.hint'),
      secret: true,
      needed: true,
    },
  ],
  woocommerce: [
    { name: 'url', label: t('woocommerce.url'), hint: t('woocommerce.url.hint'), needed: true },
    {
      name: 'consumerKey',
      label: t('woocommerce.consumerKey'),
      hint: t('woocommerce.consumerKey.hint'),
      secret: true,
      needed: true,
    },
    {
      name: 'consumerSecret',
      label: t('woocommerce.consumerSecret'),
      hint: t('woocommerce.consumerSecret.hint'),
      secret: true,
      needed: true,
    },
  ],
  orders: [
    { name: 'shopId', label: t('orders.shopId'), hint: t('orders.shopId.hint') },
    { name: 'secret', label: t('orders.secret'), hint: t('orders.secret.hint'), secret: true },
  ],
  razorpay: [
    { name: 'keyId', label: t('razorpay.keyId'), hint: t('razorpay.keyId.hint'), needed: true },
    { name: 'keySecret', label: t('razorpay.keySecret'), secret: true, needed: true },
    {
      name: 'webhookSecret',
      label: t('razorpay.webhookSecret'),
      hint: t('razorpay.webhookSecret.hint'),
      secret: true,
      needed: true,
    },
  ],
  photo: [
    { name: 'account', label: t('photo.account'), hint: t('photo.account.hint'), needed: true },
    { name: 'token', label: t('photo.token'), hint: t('photo.token.hint'), secret: true, needed: true },
    {
      name: 'appSecret',
      label: t('photo.appSecret'),
      hint: t('photo.appSecret.hint'),
      secret: true,
      needed: true,
    },
    { name: 'verifyToken', label: t('photo.verifyToken'), hint: t('photo.verifyToken.hint'), secret: true },
  ],
  ai: [
    { name: 'url', label: t('ai.url'), hint: t('ai.url.hint'), needed: true },
    { name: 'apiKey', label: t('ai.apiKey'), hint: t('ai.apiKey.hint'), secret: true },
    { name: 'model', label: t('ai.model'), needed: true },
    { name: 'dailyLimit', label: t('ai.dailyLimit'), hint: t('ai.dailyLimit.hint') },
  ],
  simulator: [],
}

const numberText = (value: number | null | undefined): string => String(value ?? '')

/** Returns the form's values from the settings; secrets are never filled in. */
export function valuesOf({ name, settings }: Integration): Values {
  const { cod } = settings
  const fieldValues = settings as Record<string, string | number | null | undefined>
  return {
    settings: {
      line: Object.fromEntries(
        LINES[name].map((line) => [line.name, line.secret ? '' : String(fieldValues[line.name] ?? '')]),
      ),
      forAgents: settings.forAgents ?? false,
      country: settings.country ?? '',
      createLeads: settings.createLeads ?? false,
      cod: {
        enabled: cod?.enabled ?? false,
        templateId: cod?.templateId ?? null,
        delayMinutes: numberText(cod?.delayMinutes),
        remindAfterMinutes: numberText(cod?.remindAfterMinutes),
        expireHours: numberText(cod?.expireHours),
        tagStore: cod?.tagStore ?? true,
      },
    },
  }
}

/** Returns the last four characters of the stored secret. */
export const storedSecretEnd = ({ settings }: Integration, line: Line): string | undefined => {
  const stored = line.secret ? (settings as Record<string, unknown>)[line.name] : undefined
  return typeof stored === 'string' ? stored.replace(/^\*+/, '') : undefined
}

const NUMBERS: readonly string[] = ['dailyLimit']

/** Returns the settings to send: empty fields use their defaults, and empty secrets stay unchanged. */
export function settingsOf({ name, kind }: Integration, { settings }: Values): SettingsInput {
  const { line, forAgents, country, createLeads, cod } = settings
  const lines = Object.fromEntries(
    Object.entries(line)
      .map(([key, text]) => [key, text.trim()] as const)
      .filter(([, text]) => text !== '')
      .map(([key, text]) => [key, NUMBERS.includes(key) ? Number(text) : text]),
  ) as SettingsInput
  if (name === 'ai') return { ...lines, forAgents }
  if (kind !== 'store') return lines
  return {
    ...lines,
    country: country.trim().toUpperCase() || null,
    createLeads,
    cod: {
      ...cod,
      delayMinutes: parseOptionalNumber(cod.delayMinutes),
      remindAfterMinutes: parseOptionalNumber(cod.remindAfterMinutes) ?? null,
      expireHours: parseOptionalNumber(cod.expireHours),
    },
  }
}
