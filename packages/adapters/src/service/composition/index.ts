export { SettingInvalid } from "../settings/index.ts"
export { type Extension, Extensions } from "./Extension.ts"
export {
  backupTargetOrNull,
  bundlerSettings,
  chainSettings,
  environmentSettings,
  operatorKeysOrNull,
  postgresSettings,
  sharedSettings
} from "./environmentSettings.ts"
export { layerServices } from "./layerServices.ts"
export type {
  BundlerSettings,
  DatabaseSettings,
  HostDatabase,
  HostSettings,
  MailSettings,
  PaymasterSettings,
  Settings
} from "./Settings.ts"
