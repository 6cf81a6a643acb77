import { texts } from '../texts.ts'
import en from './en.json'

export const t = texts('connect-app', en)
