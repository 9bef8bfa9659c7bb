import { runApp } from './app.ts';
import { openShell } from './shell.ts';

runApp(openShell());
