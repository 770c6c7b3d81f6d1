;;; unphi-flymake.el --- unphi's findings in HIP buffers  -*- lexical-binding: t; -*-

;; Package-Requires: ((emacs "27.1"))

;;; Commentary:

;; Findings of "unphi lint" as Flymake diagnostics of the text as it is in the
;; buffer, saved or not.  What keeps unphi from looking, such as an error in the
;; source, is a diagnostic too: at its place, or in the first line.  Into init.el:
;;
;;   (load "/path/to/unphi-flymake")
;;   (setq unphi-flymake-arguments '("--target" "gfx942"))
;;   (add-hook 'c++-mode-hook #'unphi-flymake-setup)
;;
;; and for files that end in .hip
;;
;;   (add-to-list 'auto-mode-alist '("\\.hip\\'" . c++-mode))
;;
;; With "-p" "build" among the arguments the flags come from
;; build/compile_commands.json.

;;; Code:

(require 'flymake)
(require 'json)

(defvar unphi-flymake-command "unphi"
  "The program that is run.")

(defvar unphi-flymake-arguments nil
  "Arguments of \"unphi lint\" beside those that make it read a buffer.")

(defvar-local unphi-flymake--process nil)

(defconst unphi-flymake--levels
  '(("error" . :error) ("warning" . :warning) ("note" . :note)))

(defun unphi-flymake--diagnostic (source finding)
  "What Flymake shows of FINDING in the buffer SOURCE, or nil."
  (let-alist finding
    (when (and .file .line
               (equal (file-truename .file) (file-truename (buffer-file-name source))))
      (pcase-let ((`(,begin . ,end) (flymake-diag-region source .line .column)))
        (flymake-make-diagnostic source begin end
                                 (cdr (assoc .level unphi-flymake--levels))
                                 (format "%s [%s]" .message .rule))))))

(defun unphi-flymake--error (source said)
  "What Flymake shows of the error SAID in the buffer SOURCE."
  (let-alist said
    (let* ((here (and .file (equal (file-truename .file)
                                   (file-truename (buffer-file-name source)))))
           (region (flymake-diag-region source (or (and here .line) 1) (and here .column)))
           (place (cond (here "")
                        ((and .file .line) (format "%s:%d: " .file .line))
                        (.file (format "%s: " .file))
                        (t ""))))
      (flymake-make-diagnostic source (car region) (cdr region)
                               (cdr (assoc .level unphi-flymake--levels))
                               (concat place .message)))))

(defun unphi-flymake--read (source output)
  "Diagnostics of the buffer SOURCE from the buffer OUTPUT."
  (with-current-buffer output
    (goto-char (point-min))
    (let* ((json-object-type 'alist) (json-array-type 'list) (json-null nil)
           (report (json-read)))
      (with-current-buffer source
        (append
         (mapcar (lambda (e) (unphi-flymake--error source e)) (alist-get 'errors report))
         (delq nil (mapcar (lambda (f) (unphi-flymake--diagnostic source f))
                           (alist-get 'findings report))))))))

(defun unphi-flymake--ended (source process report)
  "Give what PROCESS found in the buffer SOURCE to REPORT."
  (unwind-protect
      (when (and (buffer-live-p source)
                 (eq process (buffer-local-value 'unphi-flymake--process source)))
        (condition-case nil
            (funcall report (unphi-flymake--read source (process-buffer process)))
          (error (funcall report :panic :explanation "unphi printed no findings"))))
    (kill-buffer (process-buffer process))))

(defun unphi-flymake (report &rest _)
  "A Flymake backend: run unphi on the buffer's text, and call REPORT."
  (when (process-live-p unphi-flymake--process)
    (kill-process unphi-flymake--process))
  (let ((source (current-buffer)))
    (setq unphi-flymake--process
          (make-process
           :name "unphi-flymake" :noquery t :connection-type 'pipe
           :buffer (generate-new-buffer " *unphi-flymake*")
           :stderr (get-buffer-create " *unphi-flymake-errors*")
           :command `(,unphi-flymake-command "lint" "--quiet" "--format" "json"
                      "--stdin-filename" ,(buffer-file-name) ,@unphi-flymake-arguments)
           :sentinel (lambda (process _)
                       (when (memq (process-status process) '(exit signal))
                         (unphi-flymake--ended source process report)))))
    (save-restriction
      (widen)
      (process-send-region unphi-flymake--process (point-min) (point-max)))
    (process-send-eof unphi-flymake--process)))

(defun unphi-flymake-setup ()
  "Show unphi's findings in this buffer, where it is of a file."
  (when (buffer-file-name)
    (add-hook 'flymake-diagnostic-functions #'unphi-flymake nil t)
    (flymake-mode 1)))

(provide 'unphi-flymake)
;;; unphi-flymake.el ends here
