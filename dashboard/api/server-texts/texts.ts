import { texts } from '../../texts.ts'
import en from './en.json'

export const t = texts('api/server-texts', en)
