export {
  closePrivateFile,
  ensurePrivateFile,
  ensurePrivateFolder,
  makePrivateFolder,
  PRIVATE_FILE_MODE
} from "./privateFiles.ts"
