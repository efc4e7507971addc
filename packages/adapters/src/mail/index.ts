export * as FolderMailer from "./FolderMailer.ts"
export { layerNoMailer } from "./noMailer.ts"
export type { SmtpOptions } from "./SmtpMailer.ts"
export * as SmtpMailer from "./SmtpMailer.ts"
