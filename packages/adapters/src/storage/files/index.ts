export {
  restrictPrivateFile as closePrivateFile,
  ensurePrivateFile,
  ensurePrivateFolder,
  FolderNotWritable,
  makePrivateFolder,
  PRIVATE_FILE_MODE
} from "./privateFiles.ts"
