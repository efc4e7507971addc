export { environmentSettings } from "./environmentSettings.ts"
export { layerServices } from "./layerServices.ts"
export { wholeNumber, wholeNumberOrNull } from "./numberSettings.ts"
export { SettingInvalid } from "./SettingInvalid.ts"
export type {
  BundlerSettings,
  DatabaseSettings,
  HostDatabase,
  HostSettings,
  PaymasterSettings,
  Settings
} from "./Settings.ts"
