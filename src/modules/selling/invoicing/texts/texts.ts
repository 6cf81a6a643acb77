import { textCatalogs } from '../../../../core/values/text-catalogs.ts'
import ar from './ar.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import es from './es.json' with { type: 'json' }
import hi from './hi.json' with { type: 'json' }
import id from './id.json' with { type: 'json' }
import ptBR from './pt-BR.json' with { type: 'json' }

export const documentTexts = textCatalogs(en, { ar, es, hi, id, 'pt-BR': ptBR })
